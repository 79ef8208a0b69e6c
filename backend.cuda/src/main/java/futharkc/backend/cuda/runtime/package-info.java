/** CUDA at run time: what a compiled program needs of it. */
@org.jspecify.annotations.NullMarked
package futharkc.backend.cuda.runtime;
