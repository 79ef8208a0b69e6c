package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.lsp4j.ApplyWorkspaceEditParams;
import org.eclipse.lsp4j.ApplyWorkspaceEditResponse;
import org.eclipse.lsp4j.ClientCapabilities;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.DidChangeTextDocumentParams;
import org.eclipse.lsp4j.DidOpenTextDocumentParams;
import org.eclipse.lsp4j.ExecuteCommandParams;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.HoverParams;
import org.eclipse.lsp4j.InitializeParams;
import org.eclipse.lsp4j.InitializedParams;
import org.eclipse.lsp4j.MessageActionItem;
import org.eclipse.lsp4j.MessageParams;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.PublishDiagnosticsParams;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.ShowMessageRequestParams;
import org.eclipse.lsp4j.TextDocumentContentChangeEvent;
import org.eclipse.lsp4j.TextDocumentIdentifier;
import org.eclipse.lsp4j.TextDocumentItem;
import org.eclipse.lsp4j.VersionedTextDocumentIdentifier;
import org.eclipse.lsp4j.launch.LSPLauncher;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.LanguageServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of {@code futharkc lsp} with a client over the standard streams of a process. */
final class LanguageServerTest implements LanguageClient {
  private static final int SECONDS = 120;

  @TempDir private Path folder;
  private Process process;
  private LanguageServer server;
  private final Map<String, List<Diagnostic>> published = new ConcurrentHashMap<>();
  private final LinkedBlockingQueue<ApplyWorkspaceEditParams> edits = new LinkedBlockingQueue<>();

  @BeforeEach
  void start() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-p",
                System.getProperty("jdk.module.path"),
                "-m",
                "futharkc.cli/futharkc.cli.Main",
                "lsp")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var launcher =
        LSPLauncher.createClientLauncher(this, process.getInputStream(), process.getOutputStream());
    var unused = launcher.startListening();
    server = launcher.getRemoteProxy();
    var params = new InitializeParams();
    params.setCapabilities(new ClientCapabilities());
    get(server.initialize(params));
    server.initialized(new InitializedParams());
  }

  @AfterEach
  void stop() throws InterruptedException {
    get(server.shutdown());
    server.exit();
    assertTrue(process.waitFor(SECONDS, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue());
  }

  private static <T> T get(CompletableFuture<T> answer) {
    return answer.orTimeout(SECONDS, TimeUnit.SECONDS).join();
  }

  private String open(String name, String text) {
    String uri = folder.resolve(name).toUri().toString();
    var document = new TextDocumentItem(uri, "futhark", 1, text);
    server.getTextDocumentService().didOpen(new DidOpenTextDocumentParams(document));
    return uri;
  }

  private Hover hover(String uri, int line, int character) {
    var position = new Position(line, character);
    return get(
        server
            .getTextDocumentService()
            .hover(new HoverParams(new TextDocumentIdentifier(uri), position)));
  }

  @Test
  void aClientIsServed() throws Exception {
    Files.writeString(folder.resolve("lib.fut"), "def twice (x: i32) = x * 2\n");
    String uri =
        open(
            "main.fut",
            "import \"lib\"\ndef main [n] (xs: [n]i32) = map twice xs\n-- >>> main [1, 2, 3]\n");
    String shown = hover(uri, 1, 5).getContents().getRight().getValue();
    assertTrue(shown.contains("def main [n] : [n]i32 -> *[n]i32"), shown);
    assertEquals(List.of(), published.getOrDefault(uri, List.of()));
    server
        .getTextDocumentService()
        .didChange(
            new DidChangeTextDocumentParams(
                new VersionedTextDocumentIdentifier(uri, 2),
                List.of(
                    new TextDocumentContentChangeEvent(
                        new Range(new Position(1, 32), new Position(1, 37)), "thrice"))));
    hover(uri, 1, 5);
    assertEquals("E0301", published.get(uri).getFirst().getCode().getLeft());
    server
        .getTextDocumentService()
        .didChange(
            new DidChangeTextDocumentParams(
                new VersionedTextDocumentIdentifier(uri, 3),
                List.of(
                    new TextDocumentContentChangeEvent(
                        new Range(new Position(1, 32), new Position(1, 38)), "twice"))));
    hover(uri, 1, 5);
    assertEquals(List.of(), published.get(uri));
    get(
        server
            .getWorkspaceService()
            .executeCommand(
                new ExecuteCommandParams(
                    "futharkc.evaluate", List.of(new JsonPrimitive(uri), new JsonPrimitive(2)))));
    ApplyWorkspaceEditParams edit = edits.poll(SECONDS, TimeUnit.SECONDS);
    assertEquals(
        "-- [2, 4, 6]\n",
        edit.getEdit().getChanges().get(uri).getFirst().getNewText().stripLeading());
  }

  @Override
  public void publishDiagnostics(PublishDiagnosticsParams params) {
    published.put(params.getUri(), params.getDiagnostics());
  }

  @Override
  public CompletableFuture<ApplyWorkspaceEditResponse> applyEdit(ApplyWorkspaceEditParams params) {
    edits.add(params);
    return CompletableFuture.completedFuture(new ApplyWorkspaceEditResponse(true));
  }

  @Override
  public void telemetryEvent(Object object) {}

  @Override
  public void showMessage(MessageParams message) {}

  @Override
  public CompletableFuture<MessageActionItem> showMessageRequest(ShowMessageRequestParams params) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void logMessage(MessageParams message) {}
}
