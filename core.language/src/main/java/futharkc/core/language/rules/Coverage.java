package futharkc.core.language.rules;

import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The search for values that no pattern of a list matches. It splits a matrix of patterns on its
 * first column (Maranget, Warnings for pattern matching, JFP 2007). A row represents a pattern that
 * can still match, a column a component of the value.
 */
final class Coverage {
  /** The largest number of examples in a message. */
  private static final int MAX_EXAMPLES = 5;

  private Coverage() {}

  /**
   * Returns source patterns of values that no given pattern matches. The list is empty if the given
   * patterns are exhaustive.
   */
  static List<String> uncovered(List<Pat> pats) {
    List<List<Pat>> rows = new ArrayList<>();
    for (Pat p : pats) {
      rows.add(List.of(p));
    }
    List<String> found = new ArrayList<>();
    for (List<Example> e : search(1, rows)) {
      found.add(e.get(0).text);
    }
    return found;
  }

  /**
   * A component of an uncovered value.
   *
   * @param atomic whether the text needs no parentheses as an argument
   */
  private record Example(String text, boolean atomic) {
    static final Example ANY = new Example("_", true);

    String asArgument() {
      return atomic ? text : "(" + text + ")";
    }
  }

  private static List<List<Example>> search(int columns, List<List<Pat>> rows) {
    for (List<Pat> row : rows) {
      if (row.stream().allMatch(Coverage::isWild)) {
        return List.of();
      }
    }
    if (columns == 0) {
      return List.of(List.of());
    }
    Pat head = head(rows);
    return switch (head) {
      case null -> anything(columns, rows);
      case Pat.Var _, Pat.Wildcard _ -> throw new IllegalStateException("matches anything");
      case Pat.Record r -> record(r, columns, rows);
      case Pat.Constr c -> constructors(c, columns, rows);
      case Pat.Literal l -> literals(l, columns, rows);
    };
  }

  /** Returns the first pattern of the first column that inspects the value, or null. */
  private static @Nullable Pat head(List<List<Pat>> rows) {
    for (List<Pat> row : rows) {
      if (!isWild(row.get(0))) {
        return row.get(0);
      }
    }
    return null;
  }

  private static boolean isWild(Pat p) {
    return p instanceof Pat.Var || p instanceof Pat.Wildcard;
  }

  /** Drops the first column and the rows that do not match every value there. */
  private static List<List<Example>> anything(int columns, List<List<Pat>> rows) {
    List<List<Pat>> rest = new ArrayList<>();
    for (List<Pat> row : rows) {
      if (isWild(row.get(0))) {
        rest.add(row.subList(1, row.size()));
      }
    }
    return rebuilt(search(columns - 1, rest), 0, _ -> Example.ANY);
  }

  private static List<List<Example>> record(Pat.Record head, int columns, List<List<Pat>> rows) {
    int fields = head.fields().size();
    List<List<Pat>> split = new ArrayList<>();
    for (List<Pat> row : rows) {
      List<Pat> parts =
          row.get(0) instanceof Pat.Record r
              ? List.copyOf(r.fields().values())
              : List.copyOf(head.fields().values().stream().map(Coverage::wild).toList());
      split.add(replaceFirst(row, parts));
    }
    return rebuilt(
        search(fields + columns - 1, split), fields, parts -> recordExample(head, parts));
  }

  private static Example recordExample(Pat.Record head, List<Example> parts) {
    boolean tuple = Type.tupleElems(head.type()) != null;
    List<String> texts = new ArrayList<>();
    int i = 0;
    for (String f : head.fields().keySet()) {
      texts.add((tuple ? "" : f + " = ") + parts.get(i++).text);
    }
    String text = String.join(", ", texts);
    return new Example(tuple ? "(" + text + ")" : "{" + text + "}", true);
  }

  private static List<List<Example>> constructors(
      Pat.Constr head, int columns, List<List<Pat>> rows) {
    List<List<Example>> found = new ArrayList<>();
    for (Map.Entry<String, Integer> c : variants(head).entrySet()) {
      int payload = c.getValue();
      List<List<Pat>> split = new ArrayList<>();
      for (List<Pat> row : rows) {
        Pat first = row.get(0);
        if (first instanceof Pat.Constr k && k.name().equals(c.getKey())) {
          split.add(replaceFirst(row, k.payload()));
        } else if (isWild(first)) {
          split.add(replaceFirst(row, Collections.nCopies(payload, first)));
        }
      }
      found.addAll(
          rebuilt(
              search(payload + columns - 1, split),
              payload,
              parts -> constructorExample(c.getKey(), parts)));
      if (found.size() >= MAX_EXAMPLES) {
        return found.subList(0, MAX_EXAMPLES);
      }
    }
    return found;
  }

  /** Returns the constructors of a pattern's type with the number of their payloads. */
  private static SortedMap<String, Integer> variants(Pat.Constr p) {
    SortedMap<String, Integer> sizes = new TreeMap<>();
    if (p.type() instanceof Type.Sum s) {
      s.variants().forEach((c, ts) -> sizes.put(c, ts.size()));
    } else {
      sizes.put(p.name(), p.payload().size());
    }
    return sizes;
  }

  private static Example constructorExample(String name, List<Example> parts) {
    var text = new StringBuilder("#" + name);
    for (Example p : parts) {
      text.append(' ').append(p.asArgument());
    }
    return new Example(text.toString(), parts.isEmpty());
  }

  private static List<List<Example>> literals(Pat.Literal head, int columns, List<List<Pat>> rows) {
    if (head.literal().prim() != PrimType.BOOL) {
      // The literals never cover all numbers, so their rows do not matter.
      return anything(columns, rows);
    }
    List<List<Example>> found = new ArrayList<>();
    for (long bits = 0; bits <= 1; bits++) {
      List<List<Pat>> rest = new ArrayList<>();
      for (List<Pat> row : rows) {
        boolean matches =
            row.get(0) instanceof Pat.Literal l ? l.literal().bits() == bits : isWild(row.get(0));
        if (matches) {
          rest.add(row.subList(1, row.size()));
        }
      }
      Example value = new Example(bits == 1 ? "true" : "false", true);
      found.addAll(rebuilt(search(columns - 1, rest), 0, _ -> value));
    }
    return found;
  }

  private static Pat wild(Pat p) {
    return new Pat.Wildcard(p.type(), p.loc());
  }

  private static List<Pat> replaceFirst(List<Pat> row, List<Pat> parts) {
    List<Pat> replaced = new ArrayList<>(parts);
    replaced.addAll(row.subList(1, row.size()));
    return replaced;
  }

  private interface Rebuild {
    Example from(List<Example> parts);
  }

  /**
   * Combines the first {@code parts} columns of each example into the column from which they were
   * split.
   */
  private static List<List<Example>> rebuilt(
      List<List<Example>> examples, int parts, Rebuild rebuild) {
    List<List<Example>> result = new ArrayList<>();
    for (List<Example> e : examples) {
      List<Example> row = new ArrayList<>();
      row.add(rebuild.from(e.subList(0, parts)));
      row.addAll(e.subList(parts, e.size()));
      result.add(row);
    }
    return result;
  }
}
