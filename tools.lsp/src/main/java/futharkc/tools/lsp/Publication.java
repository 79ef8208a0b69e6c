package futharkc.tools.lsp;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.Diagnostic.Label;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.eclipse.lsp4j.DiagnosticRelatedInformation;
import org.eclipse.lsp4j.DiagnosticSeverity;
import org.eclipse.lsp4j.DiagnosticTag;
import org.eclipse.lsp4j.Location;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;

/**
 * The diagnostics that the client shows. A file shows the diagnostics of all programs that it is
 * part of. A file without diagnostics is cleared once.
 */
final class Publication {
  private final Map<String, Map<String, List<org.eclipse.lsp4j.Diagnostic>>> byFile =
      new HashMap<>();
  private final Map<String, List<org.eclipse.lsp4j.Diagnostic>> shown = new HashMap<>();
  private final BiConsumer<String, List<org.eclipse.lsp4j.Diagnostic>> publisher;

  /** Creates a publication. The publisher receives the path of a file and its diagnostics. */
  Publication(BiConsumer<String, List<org.eclipse.lsp4j.Diagnostic>> publisher) {
    this.publisher = publisher;
  }

  /** Replaces the diagnostics of a program. */
  void replace(String program, Program.Snapshot snapshot) {
    Map<String, List<org.eclipse.lsp4j.Diagnostic>> files = new LinkedHashMap<>();
    for (Diagnostic d : snapshot.analysis().diagnostics()) {
      String file = snapshot.texts().containsKey(d.loc().file()) ? d.loc().file() : program;
      files.computeIfAbsent(file, f -> new ArrayList<>()).add(convert(d, snapshot));
    }
    set(program, files);
  }

  /** Removes the diagnostics of a program. */
  void remove(String program) {
    set(program, Map.of());
  }

  private void set(String program, Map<String, List<org.eclipse.lsp4j.Diagnostic>> files) {
    Set<String> affected = new HashSet<>(files.keySet());
    byFile.forEach(
        (file, programs) -> {
          if (programs.remove(program) != null) {
            affected.add(file);
          }
        });
    files.forEach((f, list) -> byFile.computeIfAbsent(f, x -> new HashMap<>()).put(program, list));
    affected.forEach(this::show);
    byFile.values().removeIf(Map::isEmpty);
  }

  private void show(String file) {
    Set<org.eclipse.lsp4j.Diagnostic> all = new LinkedHashSet<>();
    byFile.getOrDefault(file, Map.of()).values().forEach(all::addAll);
    List<org.eclipse.lsp4j.Diagnostic> list = List.copyOf(all);
    if (!list.equals(shown.getOrDefault(file, List.of()))) {
      if (list.isEmpty()) {
        shown.remove(file);
      } else {
        shown.put(file, list);
      }
      publisher.accept(file, list);
    }
  }

  /**
   * Publishes the diagnostics of a file although they are the same, for a client that lost them.
   */
  void repeat(String file) {
    publisher.accept(file, shown.getOrDefault(file, List.of()));
  }

  private static org.eclipse.lsp4j.Diagnostic convert(Diagnostic d, Program.Snapshot snapshot) {
    StringBuilder message = new StringBuilder(d.message());
    d.notes().forEach(n -> message.append("\n\n").append(n));
    if (d.hint() != null) {
      message.append("\n\nHint: ").append(d.hint());
    }
    var result = new org.eclipse.lsp4j.Diagnostic();
    result.setRange(range(d.loc(), snapshot));
    result.setMessage(message.toString());
    result.setSeverity(d.isError() ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning);
    result.setCode(d.code());
    result.setSource("futharkc");
    if (d.code().equals("W0301")) {
      result.setTags(List.of(DiagnosticTag.Unnecessary));
    }
    List<DiagnosticRelatedInformation> related = new ArrayList<>();
    for (Label l : d.labels()) {
      if (snapshot.texts().containsKey(l.loc().file())) {
        Location location = new Location(Paths.uri(l.loc().file()), range(l.loc(), snapshot));
        related.add(new DiagnosticRelatedInformation(location, l.text()));
      }
    }
    if (!related.isEmpty()) {
      result.setRelatedInformation(related);
    }
    return result;
  }

  private static Range range(futharkc.core.ir.Loc loc, Program.Snapshot snapshot) {
    TextSnapshot text = snapshot.texts().get(loc.file());
    if (text == null) {
      return new Range(new Position(0, 0), new Position(0, 0));
    }
    return text.range(text.start(loc), text.end(loc));
  }
}
