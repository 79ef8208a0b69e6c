/**
 * The lowering of programs for a CPU. Parallel operations become regions, whose chunks threads run.
 *
 * <p>Begin reading at {@code SegLowering}, which lowers maps and calls the lowering of each other
 * operation.
 *
 * <ul>
 *   <li><b>Passes</b>: {@code LowerMulticorePass}, {@code LowerSequentialPass}; {@code
 *       RegionLowering} implements {@link futharkc.core.codegen.lower.common.TargetLowering}.
 *   <li><b>Regions</b>: {@code RegionBuilder} (chunks), {@code VersionChoice} (inner or outer
 *       parallelism).
 *   <li><b>Operations</b>: {@code SegReductions}, {@code SegScans}, {@code Segments}, {@code
 *       Histograms}.
 *   <li><b>Updates and copies</b>: {@code RegionUpdates} (accumulators), {@code
 *       HistogramPrivatisation} (private copies of bins), {@code RegionCopies} (whole arrays).
 * </ul>
 *
 * <p>The package uses {@code lower.common} and never {@code lower.gpu}.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.codegen.lower.multicore;
