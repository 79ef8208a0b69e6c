/** The CUDA run time of compiled programs. */
@org.jspecify.annotations.NullMarked
package futharkc.backend.cuda.runtime;
