/**
 * The type checker, from the syntax tree to the checked tree. Begin reading at {@link
 * futharkc.core.language.check.Checker} and {@link futharkc.core.language.check.DefChecker}.
 *
 * <p>Each definition goes through two passes. The first pass, {@link
 * futharkc.core.language.check.TermInfer}, resolves names and infers types without sizes. The
 * second pass, {@link futharkc.core.language.check.SizeInfer}, infers sizes and builds the checked
 * tree.
 *
 * <ul>
 *   <li>First pass: {@code ApplyTerms}, {@code ArrayTerms}, {@code BindingTerms}, {@code
 *       OperatorTerms}, {@code ReferenceTerms}, {@code Patterns}, {@code TypeExps}; unification in
 *       {@code Unifier} and {@code TypeVar}; {@code Defaults} ends the pass. {@code Term} is its
 *       result.
 *   <li>Second pass: {@code ApplySizes}, {@code ArraySizes}, {@code FunctionSizes}, {@code
 *       LoopSizes}; solving in {@code SizeSolver} and {@code SizeUnifier}; {@code
 *       SolutionSubstitution} ends the pass. {@code SizeExps}, {@code Positions} and {@code
 *       Unscope} operate on sizes in types.
 *   <li>Further checks: {@code Causality}, {@code LocalChecks}, and the packages {@code rules} and
 *       {@code uniqueness}.
 *   <li>Modules: {@code ModuleChecker}, {@code Matching}, {@code Mod}, {@code Sig}, {@code
 *       ModuleEnv}, {@code Rename}. Each application of a parametric module checks its body again,
 *       so the checked tree has no modules.
 *   <li>Scopes: {@code LexicalScope} (module level), {@code Locals} (within a definition), {@code
 *       Entity}.
 *   <li>Prelude: {@code PreludeEnvironment}, {@code SnapshotBuild}, {@code SnapshotWriter}, {@code
 *       SnapshotReader}.
 *   <li>Messages: {@code TypePrinter}, {@code SyntaxText}, {@code Spelling}, {@code
 *       ForeignSyntaxHints}.
 * </ul>
 *
 * <p>Error codes and the first lines of messages are an interface to editors and tests: codes never
 * change their meaning. A change of the checked tree requires a change of {@code SnapshotWriter},
 * {@code SnapshotReader} and the format number.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.check;
