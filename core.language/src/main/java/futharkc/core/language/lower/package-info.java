/**
 * The lowering of the checked tree to the SOACS representation, by symbolic evaluation of the whole
 * program. Records, functions, type parameters and size parameters exist only during lowering. The
 * result has statements on scalars and arrays of scalars. Begin reading at {@link
 * futharkc.core.language.lower.Lowering} and {@link futharkc.core.language.lower.Elaborator}.
 *
 * <ul>
 *   <li>Values and types: {@code LoweredValue}, {@code Ty}, {@code SumLayout}, {@code Frame}
 *       (bindings of names), {@code Types} (sizes and coercions).
 *   <li>Expressions: {@code Elaborator} dispatches to {@code Branches}, {@code LoopLowering},
 *       {@code PatternLowering}, {@code Ranges}, {@code Indexing}, {@code Calls}, {@code Equality}.
 *   <li>Intrinsics: {@code IntrinsicCalls}, {@code Scalars}, {@code Soacs}.
 *   <li>Functions: {@code Functions} decides on inlining and generates functions, {@code
 *       Abstraction} makes calls share functions, {@code Callee} is a function value, {@code
 *       Aliasing} and {@code Uniqueness} infer ownership.
 *   <li>Entry points: {@code Entries}, {@code EntryParts}, {@code ExtTypes}.
 *   <li>Debugging: {@code Debugging} emits the values of an event, {@code DebugEvent} turns them
 *       into text, {@code LexicalScopes} has the variables in scope.
 *   <li>Output: {@code Emit} (statements), {@code Fold} (constant folding).
 * </ul>
 *
 * <p>Only {@code Types} may create a {@code Sized} proof: every change of an array's sizes needs a
 * check. A new node of the checked tree needs a case in {@code Elaborator} and in {@code
 * ExpressionStatistics}.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.lower;
