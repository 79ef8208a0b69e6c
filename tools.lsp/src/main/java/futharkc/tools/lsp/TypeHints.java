package futharkc.tools.lsp;

import futharkc.core.language.index.Analyser;
import futharkc.core.language.index.TypeSite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.lsp4j.CodeAction;
import org.eclipse.lsp4j.CodeActionKind;
import org.eclipse.lsp4j.InlayHint;
import org.eclipse.lsp4j.InlayHintKind;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.WorkspaceEdit;
import org.eclipse.lsp4j.jsonrpc.messages.Either;
import org.jspecify.annotations.Nullable;

/** The inferred types of variables and results without a type, and actions that write them. */
final class TypeHints {
  private TypeHints() {}

  /** Returns the inferred types in a range of lines. */
  static List<InlayHint> in(View view, Range range) {
    List<InlayHint> hints = new ArrayList<>();
    view.index()
        .typeSites(view.path())
        .forEach(
            (site, type) ->
                view.range(site.loc())
                    .filter(r -> overlaps(r, range))
                    .ifPresent(
                        r -> {
                          String text =
                              site.kind() == TypeSite.Kind.RESULT ? " : " + type : ": " + type;
                          var hint = new InlayHint(r.getEnd(), Either.forLeft(text));
                          hint.setKind(InlayHintKind.Type);
                          hints.add(hint);
                        }));
    return hints;
  }

  private static boolean overlaps(Range a, Range b) {
    return a.getStart().getLine() <= b.getEnd().getLine()
        && b.getStart().getLine() <= a.getEnd().getLine();
  }

  /**
   * Returns the actions that write an inferred type. An action is missing if the program with the
   * type would have an error, since a size in the type can have no name there.
   *
   * @param reader a function from a path to the current text
   */
  static List<CodeAction> actions(
      View view, Range range, Function<String, @Nullable String> reader) {
    List<CodeAction> actions = new ArrayList<>();
    if (!view.isCurrent()) {
      return actions;
    }
    for (Map.Entry<TypeSite, String> e : view.index().typeSites(view.path()).entrySet()) {
      TypeSite site = e.getKey();
      view.range(site.loc())
          .filter(r -> contains(r, range))
          .ifPresent(
              r -> {
                TextEdit edit = edit(view, site, e.getValue(), r);
                String changed =
                    view.text().replace(r, edit.getNewText()).text();
                Analyser.Analysis analysis =
                    new Analyser()
                        .analyse(
                            view.path(),
                            p -> p.equals(view.path()) ? changed : reader.apply(p),
                            () -> false);
                if (analysis.isAccepted()) {
                  var action = new CodeAction("Insert the type " + e.getValue());
                  action.setKind(CodeActionKind.RefactorRewrite);
                  action.setEdit(
                      new WorkspaceEdit(Map.of(Paths.uri(view.path()), List.of(edit))));
                  actions.add(action);
                }
              });
    }
    return actions;
  }

  private static boolean contains(Range r, Range inner) {
    boolean startsBefore =
        r.getStart().getLine() < inner.getStart().getLine()
            || r.getStart().getLine() == inner.getStart().getLine()
                && r.getStart().getCharacter() <= inner.getStart().getCharacter();
    boolean endsAfter =
        r.getEnd().getLine() > inner.getEnd().getLine()
            || r.getEnd().getLine() == inner.getEnd().getLine()
                && r.getEnd().getCharacter() >= inner.getEnd().getCharacter();
    return startsBefore && endsAfter;
  }

  private static TextEdit edit(View view, TypeSite site, String type, Range range) {
    TextSnapshot text = view.text();
    String written =
        text.text().substring(text.offset(range.getStart()), text.offset(range.getEnd()));
    String replacement =
        switch (site.kind()) {
          case RESULT -> written + " : " + type;
          case VARIABLE -> written + ": " + type;
          case PARAMETER -> "(" + written + ": " + type + ")";
        };
    return new TextEdit(range, replacement);
  }
}
