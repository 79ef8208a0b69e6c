package futharkc.tools.lsp;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.eclipse.lsp4j.jsonrpc.Launcher;
import org.eclipse.lsp4j.launch.LSPLauncher;
import org.eclipse.lsp4j.services.LanguageClient;

/** The entry point of the language server. */
public final class LspServer {
  private LspServer() {}

  /**
   * Serves a client until it leaves.
   *
   * @param in the stream of messages from the client
   * @param out the stream of messages to the client; no other code may write to it
   * @param version the version of the compiler
   * @param evaluator the evaluator of comments with expressions
   * @return true if the client ended the session in an orderly way
   */
  public static boolean serve(
      InputStream in, OutputStream out, String version, Evaluator evaluator) {
    try (FutharkLanguageServer server = new FutharkLanguageServer(version, evaluator)) {
      Launcher<LanguageClient> launcher = LSPLauncher.createServerLauncher(server, in, out);
      server.connect(launcher.getRemoteProxy());
      Future<Void> listening = launcher.startListening();
      CompletableFuture<Boolean> ended = server.ended();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  listening.get();
                } catch (Exception e) {
                  // The stream of the client has ended.
                }
                ended.complete(false);
              });
      return ended.join();
    }
  }
}
