/**
 * Verification that programs obey the rules of their representation.
 *
 * <h2>Contents</h2>
 *
 * <ul>
 *   <li>{@link Verifier}: the entry point of the package. {@link Violation} and {@link
 *       VerificationException} report broken rules.
 *   <li>Array programs: {@code FunctionCheck}, {@code Check} (statements, bodies, types), {@code
 *       ExpCheck} with {@code BasicCheck}, {@code LoopCheck}, {@code SoacCheck} and {@code
 *       SegCheck}; {@code HostFunctions} and {@code ExecutionLevel} for GPUs.
 *   <li>Scopes, aliases and consumption: {@code VerifierScope}, {@code AliasClass}, {@code
 *       BodyAliases}, {@code CarriedValues}, {@code ResultAliases}, {@code NonInjectiveViews}.
 *   <li>Memory: {@code OverwriteCheck}.
 *   <li>Imperative programs: {@code ImperativeCheck}, {@code CodeCheck}, {@code CodeScope}, {@code
 *       ExprCheck}, {@code EntryCheck}; {@code KernelCheck} and {@code Uniformity} for kernels.
 * </ul>
 *
 * <p>Begin with {@link Verifier}, then {@code Check} and {@code VerifierScope}. A new node needs a
 * case in {@code ExpCheck} or {@code CodeCheck}. A rule may become stricter if all passes obey it;
 * a weaker rule needs a reason in the interpreter and in every backend. Each rule needs a test with
 * a program that breaks it.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.verify;
