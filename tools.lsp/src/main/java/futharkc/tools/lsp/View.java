package futharkc.tools.lsp;

import futharkc.core.ir.Loc;
import futharkc.core.language.index.Occurrence;
import futharkc.core.language.index.ProgramIndex;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.lsp4j.Location;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.jspecify.annotations.Nullable;

/**
 * An analysis as seen from the current texts. The analysis can be of earlier texts; then positions
 * are mapped, and positions in changed ranges have no counterpart.
 */
final class View {
  private final String path;
  private final Program.Snapshot snapshot;
  private final Function<String, @Nullable String> current;
  private final Map<String, PositionMap> maps = new HashMap<>();
  private final Map<String, TextSnapshot> texts = new HashMap<>();

  /**
   * Creates a view.
   *
   * @param path the file that the request is about
   * @param current a function from a path to the current text
   */
  View(String path, Program.Snapshot snapshot, Function<String, @Nullable String> current) {
    this.path = path;
    this.snapshot = snapshot;
    this.current = current;
  }

  String path() {
    return path;
  }

  ProgramIndex index() {
    return snapshot.analysis().index();
  }

  /** Returns the current text of the file of the request. */
  TextSnapshot text() {
    return text(path);
  }

  private TextSnapshot text(String file) {
    return texts.computeIfAbsent(
        file,
        f -> {
          String text = current.apply(f);
          return new TextSnapshot(text == null ? "" : text);
        });
  }

  private TextSnapshot analysed(String file) {
    TextSnapshot text = snapshot.texts().get(file);
    return text == null ? text(file) : text;
  }

  private PositionMap map(String file) {
    return maps.computeIfAbsent(
        file, f -> new PositionMap(analysed(f).text(), text(f).text()));
  }

  /** Tests whether the file of the request is as analysed. */
  boolean isCurrent() {
    return map(path).isIdentity();
  }

  /** A position of the compiler in the analysed text. */
  record At(int line, int column) {}

  private At at(int offset) {
    TextSnapshot text = analysed(path);
    return new At(text.compilerLine(offset), text.compilerColumn(offset));
  }

  /** Returns the analysed position of a current position, or empty in a changed range. */
  Optional<At> at(Position position) {
    int offset = map(path).inverse(text().offset(position));
    return offset < 0 ? Optional.empty() : Optional.of(at(offset));
  }

  /** Returns the analysed position of a current position, or a position close to it. */
  At closest(Position position) {
    return at(map(path).closest(text().offset(position)));
  }

  Optional<Occurrence> occurrenceAt(Position position) {
    return at(position).flatMap(p -> index().occurrenceAt(path, p.line(), p.column()));
  }

  /** Returns the current range of an analysed range, or empty if its text changed. */
  Optional<Range> range(Loc loc) {
    TextSnapshot from = analysed(loc.file());
    PositionMap map = map(loc.file());
    int start = map.map(from.start(loc));
    int end = map.map(from.end(loc));
    return start < 0 || end < start
        ? Optional.empty()
        : Optional.of(text(loc.file()).range(start, end));
  }

  /** Returns the current location of an analysed range, or empty if its text changed. */
  Optional<Location> location(Loc loc) {
    if (loc.file().startsWith("/prelude/")) {
      return Optional.of(
          new Location(
              Paths.uri(loc.file()),
              new Range(
                  new Position(loc.line() - 1, loc.column() - 1),
                  new Position(loc.endLine() - 1, loc.endColumn() - 1))));
    }
    return range(loc).map(r -> new Location(Paths.uri(loc.file()), r));
  }
}
