/**
 * Evaluation of FutharkScript on programs, and pages made of programs and of such values. Begin
 * reading at {@link futharkc.tools.literate.LiteratePage}.
 *
 * <ul>
 *   <li>The text of a program: {@code LiterateBlock}, {@code LiterateParser}, {@code Directive}.
 *   <li>Evaluation: {@code ScriptRunner} (a compiled program), {@code MediaBuiltins}, {@code
 *       DirectiveOutput} (the files of one directive).
 *   <li>Files: {@code Pixels} and {@code AnimatedGif}, {@code Sound}, {@code LinePlot}, {@code
 *       ExternalProgram}.
 *   <li>{@code PageServer} shows a page in a browser while its program changes.
 * </ul>
 */
@NullMarked
package futharkc.tools.literate;

import org.jspecify.annotations.NullMarked;
