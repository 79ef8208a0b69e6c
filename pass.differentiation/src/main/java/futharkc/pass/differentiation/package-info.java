/**
 * Forward and reverse differentiation of SOACS programs.
 *
 * <p>Begin with {@link DifferentiationPass}, then read {@link Expansion}, {@link Forward} for
 * forward mode, and {@link Sweep} for reverse mode.
 *
 * <ul>
 *   <li>Driver: {@link Expansion} expands derivative operators innermost first, {@link NormalForm}
 *       simplifies operations before, {@link Derivation} and {@link DerivedFunctions} hold the
 *       shared state and the derivatives of functions.
 *   <li>Analyses: {@link Activity} (active variables), {@link OperatorForms} (classification of
 *       operators), {@link InPlace} (in-place updates).
 *   <li>Forward mode: {@link Forward}, {@link ForwardSoacs}, {@link Tangents}.
 *   <li>Reverse mode: {@link Sweep} visits the statements, {@link Adjoints} holds the adjoints,
 *       {@link States} restores overwritten arrays, {@link RecomputationPlan} chooses the values to
 *       save.
 *   <li>Rules of reverse mode, one class for each construct: {@link ArrayAdjoint}, {@link
 *       BranchAdjoint} with {@link BranchReturn} and {@link BranchTape}, {@link LoopAdjoint} with
 *       {@link LoopReturn}, {@link LoopTape}, {@link TapedLoop} and {@link StripMining}, {@link
 *       CallAdjoint}, {@link MapAdjoint} with {@link Interchange}, {@link ReduceAdjoint}, {@link
 *       ScanAdjoint} with {@link Jacobian}, {@link HistAdjoint}, {@link AccumulatorAdjoint} with
 *       {@link Writers}.
 *   <li>Shared code: {@link ScalarPartials} and {@link Digamma} (scalar derivatives), {@link
 *       Extrema}, {@link Folds}, {@link AccumulatedAdjoint}, {@link SyntheticAdjoint}, {@link
 *       AccumulatorRemoval}.
 * </ul>
 *
 * <p>A scalar function needs a case in {@link ScalarPartials} only. A new statement or expression
 * needs a rule in {@link Activity}, {@link Forward} and {@link Sweep}. Normal form guarantees that
 * rules see one operation at a time: rely on {@link NormalForm} instead of handling further cases.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.differentiation;
