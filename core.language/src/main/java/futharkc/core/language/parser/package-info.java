/**
 * The front half of the parser: scanning, parsing with the generated parser, operator fixity,
 * syntax errors, and imports. Begin reading at {@link futharkc.core.language.parser.Parser} for one
 * file, or {@link futharkc.core.language.parser.Loader} for a program.
 *
 * <ul>
 *   <li>Tokens: {@code TokenScanner}, {@code ConstantArray}, {@code LiteralParser}, {@code Nesting}
 *       (limit on nesting).
 *   <li>Trees: {@code DecBuilder}, {@code ExpBuilder}, {@code SequenceBuilder} (operators and
 *       prefixes), {@code Fixity}, {@code PatBuilder}, {@code TypeBuilder}, {@code Sources} (source
 *       ranges).
 *   <li>Errors: {@code SyntaxErrors}.
 *   <li>Files: {@code Loader}, {@code ImportResolver}, {@code ImportNames}.
 * </ul>
 *
 * <p>The grammar is in {@code src/main/antlr4}. A change of the grammar needs a case in a builder
 * and in the printer of the tests. The prediction must stay local: a test bounds its lookahead.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.parser;
