package futharkc.tools.lsp;

import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.eclipse.lsp4j.ApplyWorkspaceEditParams;
import org.eclipse.lsp4j.DidChangeConfigurationParams;
import org.eclipse.lsp4j.DidChangeWatchedFilesParams;
import org.eclipse.lsp4j.ExecuteCommandParams;
import org.eclipse.lsp4j.SymbolInformation;
import org.eclipse.lsp4j.WorkspaceSymbol;
import org.eclipse.lsp4j.WorkspaceSymbolParams;
import org.eclipse.lsp4j.jsonrpc.ResponseErrorException;
import org.eclipse.lsp4j.jsonrpc.messages.Either;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseError;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseErrorCode;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.WorkspaceService;
import org.jspecify.annotations.Nullable;

/** The notifications and requests about the whole workspace. */
final class WorkspaceRequests implements WorkspaceService, AutoCloseable {
  private final Workspace workspace;
  private final Evaluator evaluator;
  private final Supplier<@Nullable LanguageClient> client;

  /** The threads of evaluations, which take longer than answers. */
  private final ExecutorService evaluations = Executors.newVirtualThreadPerTaskExecutor();

  WorkspaceRequests(
      Workspace workspace, Evaluator evaluator, Supplier<@Nullable LanguageClient> client) {
    this.workspace = workspace;
    this.evaluator = evaluator;
    this.client = client;
  }

  @Override
  public void close() {
    evaluations.shutdownNow();
  }

  @Override
  public void didChangeConfiguration(DidChangeConfigurationParams params) {
    // The server has no settings.
  }

  @Override
  public void didChangeWatchedFiles(DidChangeWatchedFilesParams params) {
    workspace.changedFiles();
  }

  @Override
  public CompletableFuture<
          Either<List<? extends SymbolInformation>, List<? extends WorkspaceSymbol>>>
      symbol(WorkspaceSymbolParams params) {
    return workspace.answer(
        () -> Either.forRight(Symbols.ofWorkspace(workspace.views(), params.getQuery())));
  }

  @Override
  public CompletableFuture<Object> executeCommand(ExecuteCommandParams params) {
    List<Object> arguments = params.getArguments();
    if (!params.getCommand().equals(Evaluations.COMMAND)
        || arguments.size() != 2
        || !(arguments.get(0) instanceof JsonPrimitive uri)
        || !(arguments.get(1) instanceof JsonPrimitive line)) {
      throw new ResponseErrorException(
          new ResponseError(
              ResponseErrorCode.InvalidParams,
              "The command " + Evaluations.COMMAND + " takes the address of a file and a line.",
              null));
    }
    return CompletableFuture.supplyAsync(
        () -> evaluate(uri.getAsString(), line.getAsInt()), evaluations);
  }

  private @Nullable Object evaluate(String uri, int line) {
    Workspace.Buffer buffer = workspace.buffer(uri);
    LanguageClient c = client.get();
    if (buffer == null || c == null) {
      return null;
    }
    String expression = Evaluations.expression(buffer.text(), line);
    if (expression.isEmpty()) {
      return null;
    }
    String value = evaluator.evaluate(Paths.path(uri), workspace::read, expression);
    Workspace.Buffer now = workspace.buffer(uri);
    // A change during the evaluation can move the comment; the value then has no place.
    if (now != null && Evaluations.expression(now.text(), line).equals(expression)) {
      var unused =
          c.applyEdit(
              new ApplyWorkspaceEditParams(Evaluations.result(uri, now.text(), line, value)));
    }
    return value;
  }
}
