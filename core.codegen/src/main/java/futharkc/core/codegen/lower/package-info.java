/**
 * The lowering from the memory representations to the imperative language.
 *
 * <p>Begin reading at {@code ProgramLowering} (a program), {@code Statements} (statements of a
 * function) and {@code FunctionSymbols} (the state of a function's lowering).
 *
 * <ul>
 *   <li><b>Passes</b>: {@code LowerMulticorePass}, {@code LowerSequentialPass}, {@code
 *       LowerGpuPass}. Each calls {@code ProgramLowering}.
 *   <li><b>All targets</b>: {@code BasicOps} (scalars), {@code ArrayOps} and {@code Copies}
 *       (arrays), {@code ControlFlow} and {@code SwitchLowering} (calls, branches, loops), {@code
 *       Accumulators} (updates), {@code BlockLifetimes} (allocation and release), {@code LoopNest}
 *       and {@code Operators} (loops and accumulators of parallel operations), {@code ReadOffsets}.
 *   <li><b>CPU regions</b>: {@code SegLowering} (maps), {@code SegReductions}, {@code SegScans},
 *       {@code Segments}, {@code Histograms} and {@code HistogramPrivatisation}; {@code
 *       RegionBuilder} (chunks) and {@code VersionChoice} (inner or outer parallelism).
 *   <li><b>GPU framework</b>: {@code GpuLowering} (host statements and maps), {@code Kernels} and
 *       {@code KernelFrame} (launches, grids, memory), {@code ExecutionUnit}, {@code
 *       ThreadAccumulators}, {@code OperatorFunctions}, {@code SharedMemoryLimit}, {@code
 *       CannotExpandException}.
 *   <li><b>GPU reductions</b>: {@code GpuReductions}, {@code ColumnReductions}, {@code
 *       NonCommutativeBlockReduction}, {@code Reduction}, {@code SequentialSegments} (operators on
 *       arrays).
 *   <li><b>GPU scans</b>: {@code GpuScans}, {@code ScanKernels}, {@code ScanWindows}, {@code
 *       GpuScan}, {@code LookBack}.
 *   <li><b>GPU histograms</b>: {@code GpuHistograms}, {@code HistogramPasses}, {@code
 *       SharedMemoryHistogram}, {@code HistogramUpdates}, {@code AtomicUpdates}.
 *   <li><b>GPU layouts</b>: {@code DeviceCopies}, {@code Transposes}, {@code SkinnyTransposeTile},
 *       {@code TiledMaps}.
 * </ul>
 *
 * <p>Lowering translates and reads facts from the program; optimisations belong in passes over a
 * representation. A threshold belongs in {@link futharkc.core.ir.Target}. Classes of the CPU group
 * and of the GPU groups never use each other.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.codegen.lower;
