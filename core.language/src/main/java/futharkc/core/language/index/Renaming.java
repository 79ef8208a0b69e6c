package futharkc.core.language.index;

import futharkc.core.ir.Loc;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A new name for a symbol: the changes of all files in which the symbol occurs. */
public final class Renaming {
  private static final Set<String> KEYWORDS =
      Set.of(
          "true", "false", "if", "then", "else", "def", "let", "loop", "in", "val", "for", "do",
          "with", "local", "open", "include", "import", "type", "entry", "module", "while",
          "assert", "match", "case");

  /** A change: the text that replaces a range. */
  public record Edit(Loc loc, String text) {}

  /** A reason against a new name. */
  public static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message, null, false, false);
    }
  }

  private final Map<String, List<Edit>> edits;

  private Renaming(Map<String, List<Edit>> edits) {
    this.edits = edits;
  }

  /** Returns the changes by path, each list from the end of the file to its start. */
  public Map<String, List<Edit>> edits() {
    return edits;
  }

  /**
   * Returns the changes that give a symbol a new name.
   *
   * @param main the path of the main file of the program
   * @param reader a function from a path to the text of the file
   * @throws RefusedException if the symbol cannot have the name, or if the name would change the
   *     meaning of the program
   */
  public static Renaming of(
      ProgramIndex index,
      Symbol symbol,
      String name,
      String main,
      Function<String, @Nullable String> reader) {
    checkRenamable(index, symbol);
    if (!name.matches("[A-Za-z][A-Za-z0-9_']*|_[A-Za-z0-9][A-Za-z0-9_']*")
        || KEYWORDS.contains(name)) {
      throw new RefusedException("\"" + name + "\" is not a valid name.");
    }
    Map<String, List<Edit>> edits = new LinkedHashMap<>();
    for (Occurrence o : index.occurrences(symbol)) {
      String text = o.role().isField() ? o.symbol().name() + " = " + name : name;
      edits.computeIfAbsent(o.loc().file(), f -> new ArrayList<>()).add(new Edit(o.loc(), text));
    }
    Comparator<Edit> byPosition =
        Comparator.comparingInt((Edit e) -> e.loc().line()).thenComparingInt(e -> e.loc().column());
    edits.replaceAll((f, list) -> list.stream().distinct().sorted(byPosition.reversed()).toList());
    Renaming renaming = new Renaming(edits);
    renaming.checkMeaning(index, symbol, main, reader);
    return renaming;
  }

  /**
   * Checks that a symbol can have another name.
   *
   * @throws RefusedException if the symbol is part of the prelude, or is an operator
   */
  public static void checkRenamable(ProgramIndex index, Symbol symbol) {
    if (symbol.group().isBuiltin()) {
      throw new RefusedException(
          "\"" + symbol.name() + "\" has a name of the prelude, which cannot change.");
    }
    if (symbol.isOperator()) {
      throw new RefusedException("Operators cannot be renamed.");
    }
    for (Occurrence o : index.occurrences(symbol)) {
      if (!o.symbol().name().equals(symbol.name())) {
        throw new RefusedException("\"" + symbol.name() + "\" has several names.");
      }
    }
  }

  /** Checks that every name of the changed program has the definition that it had. */
  private void checkMeaning(
      ProgramIndex index,
      Symbol symbol,
      String main,
      Function<String, @Nullable String> reader) {
    Map<String, String> changed = new HashMap<>();
    edits.forEach(
        (path, list) -> {
          String text = reader.apply(path);
          changed.put(path, text == null ? "" : apply(text, list));
        });
    ProgramIndex after =
        new Analyser()
            .resolve(main, p -> changed.containsKey(p) ? changed.get(p) : reader.apply(p))
            .index();
    for (String path : index.files()) {
      if (!groups(index.occurrences(path)).equals(groups(after.occurrences(path)))) {
        throw new RefusedException(
            "The new name of \""
                + symbol.name()
                + "\" clashes with another definition of this name.");
      }
    }
  }

  /** Returns for each occurrence the number of the first occurrence of the same group. */
  private static List<Integer> groups(List<Occurrence> occurrences) {
    Map<Symbol, Integer> first = new HashMap<>();
    List<Integer> result = new ArrayList<>();
    for (Occurrence o : occurrences) {
      result.add(first.computeIfAbsent(o.symbol().group(), g -> result.size()));
    }
    return result;
  }

  /** Applies changes, from the last to the first, to a text. */
  public static String apply(String text, List<Edit> edits) {
    var source = new SourceText("", text);
    int[] codePoints = text.codePoints().toArray();
    String result = "";
    int end = codePoints.length;
    for (Edit e : edits) {
      int stop = source.offset(e.loc().endLine(), e.loc().endColumn());
      result = e.text() + new String(codePoints, stop, end - stop) + result;
      end = source.offset(e.loc().line(), e.loc().column());
    }
    return new String(codePoints, 0, end) + result;
  }
}
