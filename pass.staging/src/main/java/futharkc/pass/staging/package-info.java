/** Passes on where kernels read what they read often: shared memory, or copies. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.staging;
