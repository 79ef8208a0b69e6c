package futharkc.tools.lsp;

import futharkc.core.language.DiagnosticException;
import futharkc.core.language.format.Formatter;
import futharkc.core.language.index.Renaming;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.eclipse.lsp4j.CodeAction;
import org.eclipse.lsp4j.CodeActionParams;
import org.eclipse.lsp4j.CodeLens;
import org.eclipse.lsp4j.CodeLensParams;
import org.eclipse.lsp4j.Command;
import org.eclipse.lsp4j.CompletionItem;
import org.eclipse.lsp4j.CompletionList;
import org.eclipse.lsp4j.CompletionParams;
import org.eclipse.lsp4j.DefinitionParams;
import org.eclipse.lsp4j.DidChangeTextDocumentParams;
import org.eclipse.lsp4j.DidCloseTextDocumentParams;
import org.eclipse.lsp4j.DidOpenTextDocumentParams;
import org.eclipse.lsp4j.DidSaveTextDocumentParams;
import org.eclipse.lsp4j.DocumentFormattingParams;
import org.eclipse.lsp4j.DocumentHighlight;
import org.eclipse.lsp4j.DocumentHighlightParams;
import org.eclipse.lsp4j.DocumentSymbol;
import org.eclipse.lsp4j.DocumentSymbolParams;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.HoverParams;
import org.eclipse.lsp4j.InlayHint;
import org.eclipse.lsp4j.InlayHintParams;
import org.eclipse.lsp4j.Location;
import org.eclipse.lsp4j.LocationLink;
import org.eclipse.lsp4j.PrepareRenameDefaultBehavior;
import org.eclipse.lsp4j.PrepareRenameParams;
import org.eclipse.lsp4j.PrepareRenameResult;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.ReferenceParams;
import org.eclipse.lsp4j.RenameParams;
import org.eclipse.lsp4j.SemanticTokens;
import org.eclipse.lsp4j.SemanticTokensParams;
import org.eclipse.lsp4j.SignatureHelp;
import org.eclipse.lsp4j.SignatureHelpParams;
import org.eclipse.lsp4j.SymbolInformation;
import org.eclipse.lsp4j.TextDocumentContentChangeEvent;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.WorkspaceEdit;
import org.eclipse.lsp4j.jsonrpc.ResponseErrorException;
import org.eclipse.lsp4j.jsonrpc.messages.Either;
import org.eclipse.lsp4j.jsonrpc.messages.Either3;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseError;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseErrorCode;
import org.eclipse.lsp4j.services.TextDocumentService;
import org.jspecify.annotations.Nullable;

/** The notifications and requests about one file. */
final class DocumentService implements TextDocumentService {
  private final Workspace workspace;
  private final References references;

  DocumentService(Workspace workspace) {
    this.workspace = workspace;
    this.references = new References(workspace);
  }

  // Buffers

  @Override
  public void didOpen(DidOpenTextDocumentParams params) {
    var document = params.getTextDocument();
    workspace.open(document.getUri(), document.getVersion(), document.getText());
  }

  @Override
  public void didChange(DidChangeTextDocumentParams params) {
    Integer version = params.getTextDocument().getVersion();
    workspace.change(
        params.getTextDocument().getUri(),
        version == null ? 0 : version,
        text -> {
          TextSnapshot result = text;
          for (TextDocumentContentChangeEvent c : params.getContentChanges()) {
            Range range = c.getRange();
            result =
                range == null ? new TextSnapshot(c.getText()) : result.replace(range, c.getText());
          }
          return result;
        });
  }

  @Override
  public void didClose(DidCloseTextDocumentParams params) {
    workspace.close(params.getTextDocument().getUri());
  }

  @Override
  public void didSave(DidSaveTextDocumentParams params) {
    workspace.changed(Paths.path(params.getTextDocument().getUri()));
  }

  // Requests

  /** Computes an answer from the best analysis, or an empty answer for a file that is not open. */
  private <T> CompletableFuture<T> ask(String uri, Function<View, T> answer, T empty) {
    return workspace.answer(() -> workspace.view(uri).map(answer).orElse(empty));
  }

  private <T> CompletableFuture<@Nullable T> ask(
      String uri, Function<View, @Nullable T> answer) {
    return workspace.answer(
        () -> {
          Optional<View> view = workspace.view(uri);
          return view.isPresent() ? answer.apply(view.get()) : null;
        });
  }

  @Override
  public CompletableFuture<@Nullable Hover> hover(HoverParams params) {
    return ask(params.getTextDocument().getUri(), v -> Hovers.at(v, params.getPosition()));
  }

  @Override
  public CompletableFuture<Either<List<? extends Location>, List<? extends LocationLink>>>
      definition(DefinitionParams params) {
    return ask(
        params.getTextDocument().getUri(),
        v ->
            Either.forLeft(
                v.occurrenceAt(params.getPosition())
                    .flatMap(o -> v.location(o.symbol().nameLoc()))
                    .map(List::of)
                    .orElse(List.of())),
        Either.forLeft(List.of()));
  }

  @Override
  public CompletableFuture<List<? extends Location>> references(ReferenceParams params) {
    boolean definitions = params.getContext().isIncludeDeclaration();
    return ask(
        params.getTextDocument().getUri(),
        v -> references.locations(v, params.getPosition(), definitions),
        List.of());
  }

  @Override
  public CompletableFuture<List<? extends DocumentHighlight>> documentHighlight(
      DocumentHighlightParams params) {
    return ask(
        params.getTextDocument().getUri(),
        v -> References.highlights(v, params.getPosition()),
        List.of());
  }

  @Override
  public CompletableFuture<
          @Nullable Either3<Range, PrepareRenameResult, PrepareRenameDefaultBehavior>>
      prepareRename(PrepareRenameParams params) {
    return ask(
        params.getTextDocument().getUri(),
        v -> {
          var at = v.occurrenceAt(params.getPosition());
          if (at.isEmpty()) {
            return null;
          }
          try {
            Renaming.checkRenamable(v.index(), at.get().symbol());
          } catch (Renaming.RefusedException e) {
            throw refused(e);
          }
          Optional<Range> range = v.range(at.get().loc());
          return range.isPresent() ? Either3.forFirst(range.get()) : null;
        });
  }

  @Override
  public CompletableFuture<@Nullable WorkspaceEdit> rename(RenameParams params) {
    return ask(
        params.getTextDocument().getUri(),
        v -> {
          try {
            return references
                .rename(v, params.getPosition(), params.getNewName())
                .orElse(null);
          } catch (Renaming.RefusedException e) {
            throw refused(e);
          }
        });
  }

  private static ResponseErrorException refused(Renaming.RefusedException e) {
    return new ResponseErrorException(
        new ResponseError(ResponseErrorCode.InvalidParams, e.getMessage(), null));
  }

  @Override
  public CompletableFuture<Either<List<CompletionItem>, CompletionList>> completion(
      CompletionParams params) {
    return ask(
        params.getTextDocument().getUri(),
        v -> Either.forLeft(Completions.at(v, params.getPosition())),
        Either.forLeft(List.of()));
  }

  @Override
  public CompletableFuture<@Nullable SignatureHelp> signatureHelp(SignatureHelpParams params) {
    return ask(params.getTextDocument().getUri(), v -> Calls.at(v, params.getPosition()));
  }

  @Override
  public CompletableFuture<List<Either<SymbolInformation, DocumentSymbol>>> documentSymbol(
      DocumentSymbolParams params) {
    return ask(
        params.getTextDocument().getUri(),
        v ->
            Symbols.ofDocument(v).stream()
                .map(Either::<SymbolInformation, DocumentSymbol>forRight)
                .toList(),
        List.of());
  }

  @Override
  public CompletableFuture<SemanticTokens> semanticTokensFull(SemanticTokensParams params) {
    return ask(
        params.getTextDocument().getUri(),
        SemanticTokenEncoder::encode,
        new SemanticTokens(List.of()));
  }

  @Override
  public CompletableFuture<List<? extends TextEdit>> formatting(DocumentFormattingParams params) {
    String uri = params.getTextDocument().getUri();
    return workspace.answer(
        () -> {
          Workspace.Buffer buffer = workspace.buffer(uri);
          if (buffer == null) {
            return List.of();
          }
          TextSnapshot text = buffer.text();
          String formatted;
          try {
            formatted = Formatter.format(Paths.path(uri), text.text());
          } catch (DiagnosticException e) {
            return List.of();
          }
          if (formatted.equals(text.text())) {
            return List.of();
          }
          return List.of(new TextEdit(text.range(0, text.text().length()), formatted));
        });
  }

  @Override
  public CompletableFuture<List<Either<Command, CodeAction>>> codeAction(
      CodeActionParams params) {
    String uri = params.getTextDocument().getUri();
    return ask(
        uri,
        v -> {
          List<CodeAction> actions =
              new ArrayList<>(
                  Corrections.of(uri, v.text(), params.getContext().getDiagnostics()));
          actions.addAll(TypeHints.actions(v, params.getRange(), workspace::read));
          return actions.stream().map(Either::<Command, CodeAction>forRight).toList();
        },
        List.of());
  }

  @Override
  public CompletableFuture<List<? extends CodeLens>> codeLens(CodeLensParams params) {
    String uri = params.getTextDocument().getUri();
    return workspace.answer(
        () -> {
          Workspace.Buffer buffer = workspace.buffer(uri);
          return buffer == null ? List.of() : Evaluations.lenses(uri, buffer.text());
        });
  }

  @Override
  public CompletableFuture<List<InlayHint>> inlayHint(InlayHintParams params) {
    return ask(
        params.getTextDocument().getUri(), v -> TypeHints.in(v, params.getRange()), List.of());
  }
}
