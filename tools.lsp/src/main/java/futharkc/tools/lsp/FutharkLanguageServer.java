package futharkc.tools.lsp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.lsp4j.CodeActionKind;
import org.eclipse.lsp4j.CodeActionOptions;
import org.eclipse.lsp4j.CodeLensOptions;
import org.eclipse.lsp4j.CompletionOptions;
import org.eclipse.lsp4j.ExecuteCommandOptions;
import org.eclipse.lsp4j.InitializeParams;
import org.eclipse.lsp4j.InitializeResult;
import org.eclipse.lsp4j.MessageParams;
import org.eclipse.lsp4j.MessageType;
import org.eclipse.lsp4j.PublishDiagnosticsParams;
import org.eclipse.lsp4j.RenameOptions;
import org.eclipse.lsp4j.SaveOptions;
import org.eclipse.lsp4j.SemanticTokensWithRegistrationOptions;
import org.eclipse.lsp4j.ServerCapabilities;
import org.eclipse.lsp4j.ServerInfo;
import org.eclipse.lsp4j.SetTraceParams;
import org.eclipse.lsp4j.SignatureHelpOptions;
import org.eclipse.lsp4j.TextDocumentSyncKind;
import org.eclipse.lsp4j.TextDocumentSyncOptions;
import org.eclipse.lsp4j.WorkspaceFolder;
import org.eclipse.lsp4j.jsonrpc.services.JsonNotification;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.LanguageClientAware;
import org.eclipse.lsp4j.services.LanguageServer;
import org.eclipse.lsp4j.services.TextDocumentService;
import org.eclipse.lsp4j.services.WorkspaceService;
import org.jspecify.annotations.Nullable;

/** The language server: its life and its abilities. */
final class FutharkLanguageServer implements LanguageServer, LanguageClientAware, AutoCloseable {
  private final String version;
  private final Workspace workspace = new Workspace(this::publish, this::log);
  private final DocumentService documents;
  private final WorkspaceRequests requests;
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private volatile @Nullable LanguageClient client;
  private volatile boolean shutDown;

  FutharkLanguageServer(String version, Evaluator evaluator) {
    this.version = version;
    this.documents = new DocumentService(workspace);
    this.requests = new WorkspaceRequests(workspace, evaluator, () -> client);
  }

  @Override
  public void connect(LanguageClient client) {
    this.client = client;
  }

  /** Returns a future of the end of the session: true if the client shut the server down. */
  CompletableFuture<Boolean> ended() {
    return ended;
  }

  @Override
  public void close() {
    requests.close();
    workspace.close();
  }

  private void publish(String path, List<org.eclipse.lsp4j.Diagnostic> diagnostics) {
    LanguageClient c = client;
    if (c != null) {
      String uri = Paths.uri(path);
      Workspace.Buffer buffer = workspace.buffer(uri);
      var params =
          new PublishDiagnosticsParams(buffer == null ? uri : buffer.uri(), diagnostics);
      if (buffer != null) {
        params.setVersion(buffer.version());
      }
      c.publishDiagnostics(params);
    }
  }

  private void log(String message) {
    LanguageClient c = client;
    if (c != null) {
      c.logMessage(new MessageParams(MessageType.Error, message));
    }
  }

  @Override
  public CompletableFuture<InitializeResult> initialize(InitializeParams params) {
    List<String> folders = new ArrayList<>();
    if (params.getWorkspaceFolders() != null) {
      for (WorkspaceFolder f : params.getWorkspaceFolders()) {
        folders.add(Paths.path(f.getUri()));
      }
    }
    workspace.setFolders(folders);
    ServerCapabilities can = new ServerCapabilities();
    TextDocumentSyncOptions sync = new TextDocumentSyncOptions();
    sync.setOpenClose(true);
    sync.setChange(TextDocumentSyncKind.Incremental);
    sync.setSave(new SaveOptions(false));
    can.setTextDocumentSync(sync);
    can.setHoverProvider(true);
    can.setDefinitionProvider(true);
    can.setReferencesProvider(true);
    can.setDocumentHighlightProvider(true);
    can.setRenameProvider(new RenameOptions(true));
    can.setCompletionProvider(new CompletionOptions(false, List.of(".", "#")));
    can.setSignatureHelpProvider(new SignatureHelpOptions(List.of(" ", "(")));
    can.setDocumentSymbolProvider(true);
    can.setWorkspaceSymbolProvider(true);
    can.setDocumentFormattingProvider(true);
    can.setCodeActionProvider(
        new CodeActionOptions(
            List.of(CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite)));
    can.setCodeLensProvider(new CodeLensOptions(false));
    can.setInlayHintProvider(true);
    can.setExecuteCommandProvider(new ExecuteCommandOptions(List.of(Evaluations.COMMAND)));
    can.setSemanticTokensProvider(
        new SemanticTokensWithRegistrationOptions(SemanticTokenEncoder.legend(), true, false));
    return CompletableFuture.completedFuture(
        new InitializeResult(can, new ServerInfo("futharkc", version)));
  }

  @Override
  public CompletableFuture<Object> shutdown() {
    shutDown = true;
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void exit() {
    ended.complete(shutDown);
  }

  @Override
  public void setTrace(SetTraceParams params) {
    // The server writes no trace.
  }

  /** Receives the address of the file that the user looks at, which some clients send. */
  @JsonNotification("custom/onFocusTextDocument")
  public void onFocusTextDocument(Object addresses) {
    if (addresses instanceof com.google.gson.JsonArray array && !array.isEmpty()) {
      String uri = array.get(0).getAsString();
      workspace.changed(Paths.path(uri));
    }
  }

  @Override
  public TextDocumentService getTextDocumentService() {
    return documents;
  }

  @Override
  public WorkspaceService getWorkspaceService() {
    return requests;
  }
}
