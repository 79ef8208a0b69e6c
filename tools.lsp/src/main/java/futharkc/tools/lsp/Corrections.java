package futharkc.tools.lsp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.lsp4j.CodeAction;
import org.eclipse.lsp4j.CodeActionKind;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.WorkspaceEdit;

/** Actions that follow the hints of diagnostics. */
final class Corrections {
  private static final Pattern MEANT = Pattern.compile("Did you mean \"([^\"]+)\"\\?");

  private Corrections() {}

  static List<CodeAction> of(String uri, TextSnapshot text, List<Diagnostic> diagnostics) {
    List<CodeAction> actions = new ArrayList<>();
    for (Diagnostic d : diagnostics) {
      correction(text, d)
          .ifPresent(
              c -> {
                var action = new CodeAction(c.title);
                action.setKind(CodeActionKind.QuickFix);
                action.setDiagnostics(List.of(d));
                action.setIsPreferred(true);
                action.setEdit(new WorkspaceEdit(Map.of(uri, List.of(c.edit))));
                actions.add(action);
              });
    }
    return actions;
  }

  private record Correction(String title, TextEdit edit) {}

  private static Optional<Correction> correction(TextSnapshot text, Diagnostic d) {
    String message = d.getMessage().isLeft() ? d.getMessage().getLeft() : "";
    int start = text.offset(d.getRange().getStart());
    int end = text.offset(d.getRange().getEnd());
    if (start > end || !"futharkc".equals(d.getSource())) {
      return Optional.empty();
    }
    String written = text.text().substring(start, end);
    Matcher meant = MEANT.matcher(message);
    if (meant.find()) {
      return replace(text, start, end, meant.group(1));
    }
    if (written.equals(";")) {
      return replace(text, start, end, "");
    }
    if (written.equals("elif")) {
      return replace(text, start, end, "else if");
    }
    if (message.contains("Equality is written '=='.") && written.equals("=")) {
      return replace(text, start, end, "==");
    }
    if (message.contains("without the extension '.fut'")) {
      return replace(text, start, end, written.replace(".fut\"", "\""));
    }
    if (message.contains("Use '...' for ranges") && written.equals("..")) {
      return replace(text, start, end, "...");
    }
    return Optional.empty();
  }

  private static Optional<Correction> replace(TextSnapshot text, int start, int end, String by) {
    Position from = text.position(start);
    String title = by.isEmpty() ? "Delete the text" : "Replace by " + by;
    return Optional.of(
        new Correction(title, new TextEdit(new Range(from, text.position(end)), by)));
  }
}
