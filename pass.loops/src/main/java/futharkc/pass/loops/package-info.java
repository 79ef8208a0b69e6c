/**
 * Passes on the loops of imperative code. A class named {@code ...Pass} declares a pass; the class
 * of similar name without the suffix rewrites one function or loop.
 *
 * <p>Begin reading at a {@code Pass} class, whose Javadoc shows code before and after.
 *
 * <ul>
 *   <li><b>Framework</b>: {@code Loops} (traversal) and {@code LoopContext} (facts around a loop)
 *       for passes that replace loops; {@code CountingRewriter} for passes that rewrite single
 *       statements; {@code ThreadLoopRewriter} and {@code ShortLoops} for loops in threads of
 *       kernels; {@code OperationPairs} for pairs of operations.
 *   <li><b>Analyses</b>: {@code LoopRanges} (bounds that fit in 31 bits), {@code TripBounds} (upper
 *       bounds of trip counts), {@code CountedLoops} (HotSpot's counted loops), {@code
 *       IndependentPrefix}, {@code IndexDependence}.
 *   <li><b>CPU loops</b>: {@code LoopInvariantMotionPass}, {@code InvariantExpansionPass}, {@code
 *       ReassociateReductionsPass}, {@code StripMinePass} (with {@code IntegerPromotion}), {@code
 *       LoopDistributionPass}, {@code UnrollAndJamPass}, {@code IfConversionPass}, {@code
 *       LoopUnswitchingPass}, {@code InductionVariableNarrowingPass}.
 *   <li><b>Code for the JVM</b>: {@code LoopOutliningPass} (method sizes), {@code
 *       CancellationChecksPass}.
 *   <li><b>Threads of kernels</b>: {@code ThreadCoarseningPass}, {@code ThreadDistributionPass},
 *       {@code ThreadUnrollingPass}, {@code LoopVersioningPass}, {@code RowStagingPass}, {@code
 *       VectoriseMemoryAccessesPass}.
 *   <li><b>Scalars</b>: {@code DeadCodePass}, {@code DivRemPairsPass}, {@code SineCosinePairsPass},
 *       {@code EqualityPropagationPass}.
 * </ul>
 *
 * <p>A pass can be changed on its own; changes of the framework affect several. The order of passes
 * follows from the properties that they declare, and thresholds are in {@link
 * futharkc.core.ir.Machine} or in options.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.loops;
