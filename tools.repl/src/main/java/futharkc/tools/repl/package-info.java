/**
 * Evaluation of expressions in the scope of a program, and the interactive session over it. Begin
 * reading at {@link futharkc.tools.repl.Session}, which has no user interface.
 *
 * <ul>
 *   <li>Evaluation: {@code Session}, {@code SessionText} (its definitions as one program).
 *   <li>Breakpoints: {@code Stop} (the calls and their variables), {@code RelocatedLines} (traces).
 *   <li>Interaction: {@code Repl} (the loop and its commands), {@code InputLines} and {@code
 *       TerminalLines} (where lines come from), {@code InterruptSignal}.
 * </ul>
 */
@NullMarked
package futharkc.tools.repl;

import org.jspecify.annotations.NullMarked;
