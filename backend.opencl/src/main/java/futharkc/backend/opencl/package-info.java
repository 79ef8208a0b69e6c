/** What the compiler has of the target; what its programs have is in {@code runtime}. */
@org.jspecify.annotations.NullMarked
package futharkc.backend.opencl;
