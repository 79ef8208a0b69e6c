/**
 * The syntax tree as parsed. Names are unresolved, operators are resolved by fixity, and every node
 * has its source range. Begin reading at {@link futharkc.core.language.syntax.Dec} and {@link
 * futharkc.core.language.syntax.Exp}.
 *
 * <ul>
 *   <li>Declarations and modules: {@code SourceFile}, {@code Dec}, {@code ModExp}, {@code SigExp}.
 *   <li>Expressions: {@code Exp}, {@code Pat}, {@code Attr}.
 *   <li>Types: {@code TypeExp}, {@code TypeParam}, {@code PrimType}.
 *   <li>Names: {@code QualName}.
 * </ul>
 *
 * <p>Nodes are records without behaviour. A new node needs a case in the parser's builders, in
 * {@code check}, and in the printer of the tests.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.syntax;
