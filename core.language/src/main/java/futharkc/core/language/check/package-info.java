/**
 * The type checker: from the surface tree to the checked tree.
 *
 * <p>One definition goes through two passes. {@link futharkc.core.language.check.TermInfer}
 * resolves names and infers types without looking at sizes; {@link
 * futharkc.core.language.check.SizeInfer} then knows the shape of every type, and infers sizes
 * alone. Around them, {@link futharkc.core.language.check.ModuleChecker} elaborates modules:
 * parametric modules are checked once for their own sake and again, as a whole, for every
 * application, so that none is left.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.check;
