/** The CUDA backend of the compiler; compiled programs use {@code runtime} only. */
@org.jspecify.annotations.NullMarked
package futharkc.backend.cuda;
