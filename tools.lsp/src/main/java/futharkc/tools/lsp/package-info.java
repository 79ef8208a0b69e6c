/**
 * The language server. Begin reading at {@link futharkc.tools.lsp.LspServer} and {@link
 * futharkc.tools.lsp.Workspace}.
 *
 * <ul>
 *   <li>Protocol: {@code FutharkLanguageServer}, {@code DocumentService}, {@code
 *       WorkspaceRequests}.
 *   <li>State: {@code Workspace} (buffers and programs), {@code Program} (analyses of a main file),
 *       {@code TextSnapshot}, {@code PositionMap}, {@code View} (an analysis as seen from the current
 *       texts), {@code Publication} (diagnostics that the client shows).
 *   <li>Answers: {@code Hovers}, {@code Completions}, {@code Calls} (signature help), {@code
 *       References} (also new names), {@code Symbols}, {@code SemanticTokenEncoder}, {@code
 *       TypeHints}, {@code Corrections}, {@code Evaluations}.
 * </ul>
 *
 * <p>One thread reads messages and changes the buffers. Another thread analyses programs and answers
 * requests, in the order of their arrival, so that an answer knows all earlier changes. Positions of
 * the protocol count UTF-16 units from 0; positions of the compiler count code points from 1.
 */
@org.jspecify.annotations.NullMarked
package futharkc.tools.lsp;
