/**
 * An index of the names and types of a program, for the language server and for commands about
 * names. Begin reading at {@link futharkc.core.language.index.Analyser}.
 *
 * <ul>
 *   <li>Names: {@code NameResolver} and {@code ExpressionResolver} find the definition of each name
 *       in a syntax tree, also in programs with errors; {@code Symbol}, {@code Occurrence}, {@code
 *       Scope}, {@code Members} and {@code FileNames} are their result.
 *   <li>Types: {@code TypeIndex} finds the types of expressions and patterns in checked definitions.
 *   <li>Sources: {@code SourceText} finds the tokens of names, whose ranges the syntax tree lacks.
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.index;
