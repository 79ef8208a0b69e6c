/** Kernels in C: OpenCL C and CUDA C. */
@org.jspecify.annotations.NullMarked
package futharkc.core.codegen.kernel;
