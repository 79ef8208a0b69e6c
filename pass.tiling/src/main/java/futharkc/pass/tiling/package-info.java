/** Tiling of kernels in shared memory and registers. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.tiling;
