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
 * Copies of a computation for the results of a thread. Code that varies with the row only has one
 * copy for each row, and so on.
 */
final class ResultCopies {
  private final int rows;
  private final int columns;

  /** The value that replaces each name, for each result, row by row. */
  private final List<Map<Name, Poly>> copies = new ArrayList<>();

  ResultCopies(int rows, int columns) {
    this.rows = rows;
    this.columns = columns;
    for (int i = 0; i < rows * columns; i++) {
      copies.add(new HashMap<>());
    }
  }

  private ResultCopies(ResultCopies other) {
    this(other.rows, other.columns);
    for (int i = 0; i < copies.size(); i++) {
      copies.get(i).putAll(other.copies.get(i));
    }
  }

  /** Returns a copy, which can get additional values. */
  ResultCopies copy() {
    return new ResultCopies(this);
  }

  /** Sets the value of a name for each row or column. */
  void put(Name n, Side side, IntFunction<Poly> value) {
    for (int i = 0; i < copies.size(); i++) {
      copies.get(i).put(n, value.apply(side == Side.ROW ? i / columns : i % columns));
    }
  }

  /** Sets the value of a name to a polynomial over names with values. */
  void put(Name n, Poly value) {
    for (Map<Name, Poly> c : copies) {
      c.put(n, value.substitute(m -> c.getOrDefault(m, Poly.of(m))));
    }
  }

  /** Declares a fresh name for each distinct value of a variable. */
  void declare(Name n, Set<Side> varies, NameSource names) {
    if (varies.isEmpty()) {
      return;
    }
    Map<Integer, Poly> fresh = new HashMap<>();
    for (int i = 0; i < copies.size(); i++) {
      copies.get(i).put(n, fresh.computeIfAbsent(first(i, varies), k -> Poly.of(names.fresh(n))));
    }
  }

  /** Returns the number of the first result with the same value. */
  private int first(int result, Set<Side> varies) {
    int row = varies.contains(Side.ROW) ? result / columns : 0;
    int column = varies.contains(Side.COLUMN) ? result % columns : 0;
    return row * columns + column;
  }

  /** Returns one copy of the statements for each distinct value, one after the other. */
  List<Code> of(List<Code> code, Set<Side> varies) {
    List<Code> out = new ArrayList<>();
    for (int i = 0; i < copies.size(); i++) {
      if (first(i, varies) == i) {
        out.addAll(of(code, i));
      }
    }
    return out;
  }

  /** Returns the copy of the statements for one result. */
  List<Code> of(List<Code> code, int result) {
    return CodeCopies.of(code, copies.get(result));
  }
}
