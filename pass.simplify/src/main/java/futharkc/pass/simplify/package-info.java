/**
 * The simplifier: local rules, common subexpressions, hoisting, dead code.
 *
 * <p>Begin with {@link SimplifyPass}, then read {@link Rounds}, {@link Simplifier} and {@link
 * Rules}.
 *
 * <ul>
 *   <li>Traversal: {@link Rounds} repeats {@link Simplifier} and dead code elimination. {@link
 *       Simplifier} propagates copies, visits statements and answers the queries of rules.
 *   <li>Rules, by the operation they replace: {@link ScalarRules}, {@link ArrayRules}, {@link
 *       IndexRules}, {@link LiteralRules}, {@link ControlRules}, {@link LoopRules}, {@link
 *       ScremaRules}, {@link MapRules}, {@link SegRules}, {@link AccRules}. {@link Rules} selects
 *       among them.
 *   <li>Code motion: {@link Hoisting}, {@link EarlierChecks}, {@link Recomputation}.
 *   <li>Facts for rules: {@link CommonSubexpressions}, {@link KernelValue}, {@link LiveUseCounts},
 *       {@link Consumed}, {@link Invariants}, {@link Derivatives}.
 * </ul>
 *
 * <p>A new rule belongs into the class of its operation. It sees one statement and the definitions
 * of its operands, and must preserve certificates ({@link Rules#under}), consumption ({@link
 * Simplifier#stays}) and derivatives ({@link Simplifier#mayChangeDerivatives}). A rule must shrink
 * code or move it in one direction only, so that rounds terminate.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.simplify;
