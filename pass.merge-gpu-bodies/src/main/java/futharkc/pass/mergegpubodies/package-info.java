/** A pass that joins kernels of single threads: {@link MergeGpuBodiesPass}. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.mergegpubodies;
