/**
 * Symbolic reasoning about integer expressions: bounds of variables, inequalities, disjointness of
 * index functions, and injectivity of scatter indices.
 *
 * <h2>Contents</h2>
 *
 * <ul>
 *   <li>{@link Bounds}: facts about variables at a program point, and a prover of {@code p >= 0}.
 *   <li>{@link Facts}, {@link Conditions}, {@link Definitions}: collection of facts from
 *       statements, checks and enclosing code.
 *   <li>{@link NonOverlap} with {@code Samples}: disjointness of two {@linkplain
 *       futharkc.core.ir.Lmad LMADs}.
 *   <li>{@link Iterations}, {@link IterationProofs} with {@code IterationAtoms} and {@code
 *       IterationArithmetic}: scalars as functions of the iteration number, and proofs about write
 *       indices.
 *   <li>{@link ValueRange}: interval arithmetic on integers.
 * </ul>
 *
 * <p>Begin with {@link Bounds}, then {@link Facts}. The provers are sound and incomplete. Effort
 * limits may be changed: smaller limits find fewer proofs, larger ones cost compile time. A change
 * of an inference rule needs a randomised test that compares it with enumeration, as the tests of
 * this package do.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.symbolic;
