/**
 * The choice of the versions of parallel operations, and of the thresholds between them. Lowering
 * emits the chosen versions and makes no choice.
 *
 * <p>Begin reading at {@link futharkc.pass.strategies.HistogramStrategyPass}, which annotates each
 * {@link futharkc.core.ir.SegOp.SegHist} with a {@link futharkc.core.ir.HistStrategy}: {@code
 * DeviceHistograms} for a GPU, {@code CoreHistograms} for a CPU. {@link
 * futharkc.pass.strategies.SegmentStrategyPass} annotates a GPU's reductions and scans with a
 * {@link futharkc.core.ir.SegStrategy}. {@link futharkc.pass.strategies.NestVersionsPass} annotates
 * each operation that has an outer and an inner version with a {@link
 * futharkc.core.ir.SegExp.Choice}.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.strategies;
