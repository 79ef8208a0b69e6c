package futharkc.tools.lsp;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
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
import org.eclipse.lsp4j.InitializeParams;
import org.eclipse.lsp4j.InitializeResult;
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
import org.eclipse.lsp4j.WorkspaceFolder;
import org.eclipse.lsp4j.launch.LSPLauncher;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.LanguageServer;

/** An editor for tests: a client with buffers. */
final class Editor implements LanguageClient, AutoCloseable {
  private static final int SECONDS = 60;

  private final LanguageServer server;
  final Map<String, TextSnapshot> buffers = new ConcurrentHashMap<>();
  private final Map<String, Integer> versions = new ConcurrentHashMap<>();
  final Map<String, PublishDiagnosticsParams> published = new ConcurrentHashMap<>();
  final LinkedBlockingQueue<ApplyWorkspaceEditParams> edits = new LinkedBlockingQueue<>();
  final List<String> log = new ArrayList<>();

  /** Connects an editor to the streams of a server. */
  Editor(InputStream fromServer, OutputStream toServer) {
    var launcher = LSPLauncher.createClientLauncher(this, fromServer, toServer);
    var unused = launcher.startListening();
    server = launcher.getRemoteProxy();
  }

  LanguageServer server() {
    return server;
  }

  /** Waits for an answer. */
  static <T> T get(CompletableFuture<T> answer) {
    return answer.orTimeout(SECONDS, TimeUnit.SECONDS).join();
  }

  InitializeResult initialize(String... folders) {
    var params = new InitializeParams();
    params.setCapabilities(new ClientCapabilities());
    params.setWorkspaceFolders(
        java.util.Arrays.stream(folders).map(f -> new WorkspaceFolder(f, f)).toList());
    InitializeResult result = get(server.initialize(params));
    server.initialized(new InitializedParams());
    return result;
  }

  void open(String uri, String text) {
    buffers.put(uri, new TextSnapshot(text));
    versions.put(uri, 1);
    server
        .getTextDocumentService()
        .didOpen(new DidOpenTextDocumentParams(new TextDocumentItem(uri, "futhark", 1, text)));
  }

  void edit(String uri, Range range, String by) {
    buffers.computeIfPresent(uri, (u, text) -> text.replace(range, by));
    int version = versions.merge(uri, 1, Integer::sum);
    server
        .getTextDocumentService()
        .didChange(
            new DidChangeTextDocumentParams(
                new VersionedTextDocumentIdentifier(uri, version),
                List.of(new TextDocumentContentChangeEvent(range, by))));
  }

  /** Replaces the first occurrence of a text in a buffer. */
  void replace(String uri, String old, String by) {
    TextSnapshot text = buffers.get(uri);
    int start = text.text().indexOf(old);
    edit(uri, text.range(start, start + old.length()), by);
  }

  void setText(String uri, String text) {
    TextSnapshot old = buffers.get(uri);
    edit(uri, old.range(0, old.text().length()), text);
  }

  TextDocumentIdentifier id(String uri) {
    return new TextDocumentIdentifier(uri);
  }

  /** Returns the position of the n-th occurrence of a word, counted from 1, plus an offset. */
  Position position(String uri, String word, int n, int offset) {
    String text = buffers.get(uri).text();
    int at = -1;
    for (int i = 0; i < n; i++) {
      at = text.indexOf(word, at + 1);
      if (at < 0) {
        throw new AssertionError("no " + word);
      }
    }
    return buffers.get(uri).position(at + offset);
  }

  Position position(String uri, String word) {
    return position(uri, word, 1, 0);
  }

  /**
   * Returns the diagnostics of the current version of a buffer. A request after the last change
   * makes the server analyse the change before its answer.
   */
  List<Diagnostic> diagnostics(String uri) {
    get(
        server
            .getTextDocumentService()
            .documentSymbol(new org.eclipse.lsp4j.DocumentSymbolParams(id(uri))));
    PublishDiagnosticsParams last = published.get(uri);
    return last == null ? List.of() : last.getDiagnostics();
  }

  @Override
  public void close() {
    get(server.shutdown());
    server.exit();
  }

  // The client

  @Override
  public void publishDiagnostics(PublishDiagnosticsParams diagnostics) {
    published.put(diagnostics.getUri(), diagnostics);
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
  public synchronized void logMessage(MessageParams message) {
    log.add(message.getMessage());
  }
}
