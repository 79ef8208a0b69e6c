/** Small kernels become one: {@link futharkc.pass.mergegpubodies.MergeGpuBodiesPass}. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.mergegpubodies;
