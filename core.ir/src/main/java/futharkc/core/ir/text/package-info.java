/**
 * The text form of programs in all representations: a printer, and a parser for printed and
 * hand-written programs.
 *
 * <h2>Contents</h2>
 *
 * <ul>
 *   <li>Printing: {@link Printer} is the entry point. {@code ExpPrinter}, {@code ImperativePrinter}
 *       and {@code CodePrinter} print expressions and imperative programs; {@code TypeText} and
 *       {@code Atoms} print types, names and constants.
 *   <li>Parsing: {@link Parser} is the entry point. {@code Lexer} and {@code Token} split the text.
 *       {@code Reader} and its subclasses parse elements, entry points, expressions and imperative
 *       programs; {@code SegReader}, {@code HostReader} and {@code TuningReader} parse GPU
 *       operations.
 *   <li>{@code OperatorWords} lists the scalar operators for both directions; {@code Declarations}
 *       tracks types in imperative code.
 * </ul>
 *
 * <p>Begin with {@link Printer}. A new node needs a case in a printer and a reader; {@code
 * docs/internals/ir-text-form.md} describes the grammar. The property that parsing a printed
 * program yields an equal program must hold for all nodes. Golden files and crash reproducers
 * depend on the form, so an incompatible change needs a new version number in the header.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.text;
