/**
 * The lowering of programs for a GPU. Parallel operations become kernels that a host launches.
 *
 * <p>Begin reading at {@code GpuLowering} (host statements and maps) and {@code Kernels} (launches
 * and loops).
 *
 * <ul>
 *   <li><b>Pass</b>: {@code LowerGpuPass}; {@code KernelLowering} implements {@link
 *       futharkc.core.codegen.lower.common.TargetLowering}.
 *   <li><b>Framework</b>: {@code GpuLowering}, {@code Kernels} and {@code KernelFrame} (launches,
 *       grids, memory), {@code ThreadAccumulators}, {@code OperatorFunctions}, {@code
 *       SharedMemoryLimit}.
 *   <li><b>Reductions</b>: {@code GpuReductions}, {@code ColumnReductions}, {@code
 *       NonCommutativeBlockReduction}, {@code Reduction}, {@code SequentialSegments} (operators on
 *       arrays). The {@link futharkc.core.ir.SegStrategy} of a reduction or scan names its
 *       versions.
 *   <li><b>Scans</b>: {@code GpuScans}, {@code ScanKernels}, {@code ScanWindows}, {@code GpuScan},
 *       {@code LookBack}.
 *   <li><b>Histograms and updates</b>: {@code GpuHistograms}, {@code HistogramPasses}, {@code
 *       SharedMemoryHistogram}, {@code HistogramUpdates}, {@code DeviceUpdates} (accumulators),
 *       {@code AtomicUpdates}.
 *   <li><b>Layouts</b>: {@code DeviceCopies}, {@code Transposes}, {@code SkinnyTransposeTile},
 *       {@code TiledMaps}.
 * </ul>
 *
 * <p>The package uses {@code lower.common} and never {@code lower.multicore}.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.codegen.lower.gpu;
