/**
 * The formatter of source files. Begin reading at {@link futharkc.core.language.format.Formatter}.
 *
 * <p>The layout follows the input: a construct on one line stays on one line, and a construct with
 * a line break gets one line for each of its components. The formatter walks the parse tree, which
 * has all tokens, and takes the comments from the text between them.
 *
 * <ul>
 *   <li>Layout: {@code Output} (indentation, alignment, comments), {@code Span}, {@code Comment}.
 *   <li>Constructs: {@code DeclarationLayout}, {@code ModuleLayout}, {@code TypeLayout}, {@code
 *       PatternLayout}, {@code ExpressionLayout}, {@code SyntaxNode} (operators and prefixes).
 * </ul>
 *
 * <p>The layout is the layout of Futhark's own formatter, except that no comment leaves its
 * brackets, and that literate text between the declarations of a module keeps its column.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.format;
