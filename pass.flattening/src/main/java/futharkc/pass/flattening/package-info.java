/**
 * The pass that turns nested parallelism into flat parallelism, from SOACS to GPU.
 *
 * <p>Begin with {@link FlatteningPass}, whose header has the idea and an example, then read {@link
 * Nest}, {@link ValueRep} and {@link Flattener#body}.
 *
 * <ul>
 *   <li>Data: {@link Nest} (the parallel maps around code), {@link LiftedName} and {@link ValueRep}
 *       (the values of a name in all segments), {@link LiftedEnv}, {@link LiftedAccumulator},
 *       {@link SegmentArrays}, {@link SegmentDescriptor}, {@link SegmentOperand}, {@link
 *       FlatteningContext}.
 *   <li>Driver: {@link Flattener} visits bodies. {@link Preparation} normalises statements, {@link
 *       Distribution} separates parallel statements from sequential ones, {@link Parallelism}
 *       measures profitability.
 *   <li>Rules, one class for each construct: {@link ScremaFlattening}, {@link HistFlattening},
 *       {@link FlatMapFlattening}, {@link LoopFlattening}, {@link BranchFlattening}, {@link
 *       CallFlattening}, {@link AccFlattening}, {@link ArrayFlattening}, {@link UpdateFlattening}.
 *   <li>Versions: {@link Versions}, {@link IntraBlock} and {@link ThresholdPaths}.
 *   <li>Reductions, scans, histograms and accumulations that a single kernel cannot express: {@link
 *       ChunkedFold}, {@link PartialReduction}, {@link TreeFold}, {@link SortedHistogram}, {@link
 *       OrderedAccumulation}, {@link ElementAccumulation}, {@link MappedAccumulation}.
 *   <li>Functions: {@link FunctionForms}, {@link FunctionLifting}, {@link ThreadFunctions}, {@link
 *       ThreadCalls}, {@link ThreadLimits}, {@link UserParameters}.
 *   <li>Builders: {@link HostBuilder} for host code, {@link SegBodyBuilder} and {@link
 *       KernelBodyCopier} for kernels, {@link Regularisation} for conversions between forms of
 *       values, {@link Builtin} for functions over segment sizes.
 *   <li>Afterwards: {@link OverwriteSafety} inserts copies, since rules may alias arrays freely.
 * </ul>
 *
 * <p>A change to one construct stays within its rule class. All rules share the invariants of
 * {@link ValueRep} and of {@link Nest}: change these only with all rules.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.flattening;
