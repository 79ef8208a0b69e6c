/**
 * From text to syntax tree: scanning, parsing with the generated parser, operator fixity, syntax
 * error messages, and the files that a program imports. Entry points: {@link
 * futharkc.core.language.parser.Parser} for one file, {@link futharkc.core.language.parser.Loader}
 * for a program.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.parser;
