package futharkc.pass.tiling;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Copies of an iteration's code for the results of a thread. What varies with the row only is the
 * same for all columns, and so on: there are as many copies of it as there are rows.
 */
final class ResultCopies {
  private final int rows;
  private final int columns;

  /** What to write for a name, for each result, row by row. */
  private final List<Map<Name, Poly>> copies = new ArrayList<>();

  ResultCopies(int rows, int columns) {
    this.rows = rows;
    this.columns = columns;
    for (int i = 0; i < rows * columns; i++) copies.add(new HashMap<>());
  }

  private ResultCopies(ResultCopies other) {
    this(other.rows, other.columns);
    for (int i = 0; i < copies.size(); i++) copies.get(i).putAll(other.copies.get(i));
  }

  /** The same, where more can be said. */
  ResultCopies copy() {
    return new ResultCopies(this);
  }

  /** Says what a name stands for, by the row or the column. */
  void put(Name n, Side side, IntFunction<Poly> value) {
    for (int i = 0; i < copies.size(); i++) {
      copies.get(i).put(n, value.apply(side == Side.ROW ? i / columns : i % columns));
    }
  }

  /** Says what a name stands for: a polynomial over others of which that has been said. */
  void put(Name n, Poly value) {
    for (Map<Name, Poly> c : copies) {
      c.put(n, value.substitute(m -> c.getOrDefault(m, Poly.of(m))));
    }
  }

  /** Gives a variable as many names as it has values. */
  void declare(Name n, Set<Side> varies, NameSource names) {
    if (varies.isEmpty()) return;
    Map<Integer, Poly> fresh = new HashMap<>();
    for (int i = 0; i < copies.size(); i++) {
      copies.get(i).put(n, fresh.computeIfAbsent(first(i, varies), k -> Poly.of(names.fresh(n))));
    }
  }

  /** The first result with the same value. */
  private int first(int result, Set<Side> varies) {
    int row = varies.contains(Side.ROW) ? result / columns : 0;
    int column = varies.contains(Side.COLUMN) ? result % columns : 0;
    return row * columns + column;
  }

  /** Statements for each of the different values, one copy behind the other. */
  List<Code> of(List<Code> code, Set<Side> varies) {
    List<Code> out = new ArrayList<>();
    for (int i = 0; i < copies.size(); i++) if (first(i, varies) == i) out.addAll(of(code, i));
    return out;
  }

  /** Statements for a result. */
  List<Code> of(List<Code> code, int result) {
    return CodeCopies.of(code, copies.get(result));
  }
}
