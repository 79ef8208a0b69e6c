package futharkc.tools.lsp;

import futharkc.core.ir.Loc;
import futharkc.core.language.index.Analyser;
import futharkc.core.language.index.Occurrence;
import futharkc.core.language.index.ProgramIndex;
import futharkc.core.language.index.Renaming;
import futharkc.core.language.index.Symbol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.lsp4j.DocumentHighlight;
import org.eclipse.lsp4j.DocumentHighlightKind;
import org.eclipse.lsp4j.Location;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.WorkspaceEdit;

/**
 * References to names, and new names, in all programs of the workspace. The search reads the files in
 * the folders of the client, up to {@value #MOST_FILES}, for names that other files can see.
 */
final class References {
  private static final int MOST_FILES = 500;

  private final Workspace workspace;

  References(Workspace workspace) {
    this.workspace = workspace;
  }

  /** The index of a program in which a symbol occurs, with the symbol in this index. */
  private record Found(String main, ProgramIndex index, Symbol symbol) {}

  /** Returns all programs in which a symbol occurs, from the current texts. */
  private List<Found> programs(View view, Position position) {
    List<Found> found = new ArrayList<>();
    ProgramIndex own = resolve(view.path());
    TextSnapshot text = view.text();
    int offset = text.offset(position);
    Optional<Occurrence> at =
        own.occurrenceAt(view.path(), text.compilerLine(offset), text.compilerColumn(offset));
    if (at.isEmpty()) {
      return found;
    }
    Symbol symbol = at.get().symbol();
    found.add(new Found(view.path(), own, symbol));
    Loc definition = symbol.group().nameLoc();
    for (String main : others(view.path(), symbol)) {
      ProgramIndex index = resolve(main);
      index
          .occurrenceAt(definition.file(), definition.line(), definition.column())
          .filter(o -> o.loc().equals(definition))
          .ifPresent(o -> found.add(new Found(main, index, o.symbol())));
    }
    return found;
  }

  private ProgramIndex resolve(String main) {
    return new Analyser().resolve(main, workspace::read).index();
  }

  private Set<String> others(String path, Symbol symbol) {
    Set<String> others = new LinkedHashSet<>();
    boolean local =
        switch (symbol.kind()) {
          case LOCAL, SIZE, TYPE_PARAMETER, MODULE_PARAMETER -> true;
          case VALUE, SPECIFICATION, TYPE, MODULE, MODULE_TYPE -> false;
        };
    if (local) {
      return others;
    }
    workspace.views().forEach(v -> others.add(v.path()));
    for (String folder : workspace.folders()) {
      try (Stream<Path> files = Files.walk(Path.of(folder))) {
        files
            .filter(f -> f.toString().endsWith(".fut") && Files.isRegularFile(f))
            .limit(MOST_FILES)
            .forEach(f -> others.add(f.normalize().toString()));
      } catch (IOException | java.io.UncheckedIOException e) {
        // A folder that disappears has no references.
      }
    }
    others.remove(path);
    return others;
  }

  /** Returns the locations of a symbol, with or without its definitions. */
  List<Location> locations(View view, Position position, boolean definitions) {
    Set<Location> locations = new LinkedHashSet<>();
    for (Found f : programs(view, position)) {
      for (Occurrence o : f.index.occurrences(f.symbol)) {
        if (definitions || !o.role().isDefinition()) {
          locations.add(location(o.loc()));
        }
      }
    }
    return List.copyOf(locations);
  }

  private Location location(Loc loc) {
    String text = workspace.read(loc.file());
    TextSnapshot snapshot = new TextSnapshot(text == null ? "" : text);
    return new Location(
        Paths.uri(loc.file()), snapshot.range(snapshot.start(loc), snapshot.end(loc)));
  }

  /** Returns the occurrences in the file of the request. */
  static List<DocumentHighlight> highlights(View view, Position position) {
    List<DocumentHighlight> result = new ArrayList<>();
    view.occurrenceAt(position)
        .ifPresent(
            at -> {
              for (Occurrence o : view.index().occurrences(at.symbol())) {
                if (o.loc().file().equals(view.path())) {
                  DocumentHighlightKind kind =
                      o.role().isDefinition()
                          ? DocumentHighlightKind.Write
                          : DocumentHighlightKind.Read;
                  view.range(o.loc()).ifPresent(r -> result.add(new DocumentHighlight(r, kind)));
                }
              }
            });
    return result;
  }

  /**
   * Returns the changes that give a symbol a new name, or empty if no symbol is at the position.
   *
   * @throws Renaming.RefusedException if the name would change the meaning of a program
   */
  Optional<WorkspaceEdit> rename(View view, Position position, String name) {
    Map<String, Set<TextEdit>> edits = new LinkedHashMap<>();
    for (Found f : programs(view, position)) {
      Renaming.of(f.index, f.symbol, name, f.main, workspace::read)
          .edits()
          .forEach(
              (path, list) -> {
                for (Renaming.Edit e : list) {
                  edits
                      .computeIfAbsent(Paths.uri(path), p -> new LinkedHashSet<>())
                      .add(new TextEdit(location(e.loc()).getRange(), e.text()));
                }
              });
    }
    Map<String, List<TextEdit>> changes = new LinkedHashMap<>();
    edits.forEach((uri, set) -> changes.put(uri, List.copyOf(set)));
    return changes.isEmpty() ? Optional.empty() : Optional.of(new WorkspaceEdit(changes));
  }
}
