/**
 * Analyses of array functions that several passes use, and a cache of their results.
 *
 * <h2>Contents</h2>
 *
 * <ul>
 *   <li>Framework: {@link Analysis}, {@link AnalysisCache}.
 *   <li>Aliases and consumption: {@link Aliases}, {@link Consumption}, {@link ConsumptionOfStms},
 *       {@link Overwrites}.
 *   <li>Dependences and uses: {@link DependenceGraph}, {@link Uses}, {@link UseCounts}, {@link
 *       FreeNamesOfStms}, {@link NameSets}.
 *   <li>Costs and effects: {@link Weight}, {@link Effects}, {@link UpdateStrategy}.
 *   <li>Loops: {@link RepeatedBody}, {@link TripCount}.
 *   <li>Calls: {@link Callees}, {@link Callers}; {@link DeviceMapper} separates host code from
 *       thread code.
 * </ul>
 *
 * <p>Begin with {@link Analysis} and {@link Aliases}. Analyses only report facts; the decisions
 * based on them belong to passes. An analysis must be immutable, must not refer to its function,
 * and must include every further input in its own equality.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.analysis;
