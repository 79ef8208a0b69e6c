package futharkc.pass.tiling;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A parallel region that visits an index space of several dimensions row by row.
 *
 * <pre>{@code
 * parallel (chunk, from, to) over n * p {
 *   at = from; more = at < to; row = at / p; lo = at - p * row; i = row
 *   while more {
 *     hi = min(p, to + lo - at)
 *     for j from lo < hi { body }
 *     at = at + hi - lo; lo = 0; more = at < to; i = i + 1
 *   }
 * }
 * }</pre>
 *
 * @param space the dimensions
 * @param body the computation of one index, without nested scopes
 * @param inside the names that the region declares
 */
record RegionNest(ResultSpace space, List<Code> body, Set<Name> inside) {
  /** Returns the nest of a region; null if the region has another form. */
  static @Nullable RegionNest of(Code.Parallel region) {
    List<Code> code = region.body();
    if (code.isEmpty()
        || !(code.getLast() instanceof Code.While rows)
        || rows.body().size() <= 5
        || !(rows.body().get(0) instanceof Code.Declare hi)
        || !(hi.value() instanceof Expr.Binary least)
        || !(rows.body().get(1) instanceof Code.For row)
        || !(row.order() instanceof Code.Order.Independent)
        || !(rows.body().get(2) instanceof Code.Assign at)
        || !(rows.body().get(3) instanceof Code.Assign lo)) {
      return null;
    }
    Poly extent = least.left().poly();
    List<ResultSpace.Dimension> outer =
        extent == null ? null : outer(region, extent, rows.body().subList(5, rows.body().size()));
    if (extent == null || outer == null) {
      return null;
    }
    Form form = new Form(region, at.name(), lo.name(), hi.name(), rows.cond(), extent);
    if (!form.rows(row, outer).equals(rows.body()) || !form.isStart(code, outer)) {
      return null;
    }
    Set<Name> inside = new HashSet<>(CodeCopies.declared(code));
    inside.addAll(List.of(region.chunk(), region.from(), region.to()));
    Set<Name> counters = new HashSet<>(inside);
    counters.removeAll(CodeCopies.declared(row.body()));
    counters.remove(row.index());
    List<ResultSpace.Dimension> dimensions = new ArrayList<>(outer);
    dimensions.add(new ResultSpace.Dimension(row.index(), extent));
    for (ResultSpace.Dimension d : outer) {
      counters.remove(d.index());
    }
    Set<Name> used = Variables.readBy(row.body());
    Set<Name> assigned = Variables.assignedBy(row.body());
    boolean isPlain =
        used.stream().noneMatch(counters::contains)
            && dimensions.stream()
                .noneMatch(d -> d.extent().mentions(inside) || assigned.contains(d.index()));
    return isPlain
        ? new RegionNest(
            new ResultSpace(List.copyOf(dimensions), java.util.Map.of()),
            Iteration.flat(row.body()),
            inside)
        : null;
  }

  /**
   * Returns the outer dimensions, outermost first, from the statements that increment their
   * indices.
   */
  private static @Nullable List<ResultSpace.Dimension> outer(
      Code.Parallel region, Poly innermost, List<Code> increment) {
    Poly inner = innermost;
    List<ResultSpace.Dimension> found = new ArrayList<>();
    List<Code> code = increment;
    while (code.size() == 2
        && code.get(0) instanceof Code.Assign a
        && code.get(1) instanceof Code.If carry
        && carry.cond() instanceof Expr.Compare c
        && c.right().poly() instanceof Poly extent
        && !carry.otherwise().isEmpty()) {
      found.addFirst(new ResultSpace.Dimension(a.name(), extent));
      inner = inner.times(extent);
      code = carry.otherwise().subList(1, carry.otherwise().size());
    }
    if (code.size() != 1
        || !(code.getFirst() instanceof Code.Assign a)
        || !(region.total().poly() instanceof Poly total)
        || inner.isZero()) {
      return null;
    }
    Poly.Division division = total.divide(inner);
    if (!division.remainder().isZero()) {
      return null;
    }
    found.addFirst(new ResultSpace.Dimension(a.name(), division.quotient()));
    return found;
  }

  /** The statements around the body of a region, apart from its outer dimensions. */
  private record Form(Code.Parallel region, Name at, Name lo, Name hi, Name more, Poly extent) {
    /** Returns the statements of a row. */
    List<Code> rows(Code.For row, List<ResultSpace.Dimension> outer) {
      Expr rest = new Expr.Index(Poly.of(lo).plus(Poly.of(region.to())).minus(Poly.of(at)));
      Expr end = Expr.binary(BinOp.Kind.SMIN, new Expr.Index(extent), rest);
      Poly next = Poly.of(at).plus(Poly.of(hi)).minus(Poly.of(lo));
      List<Code> code = new ArrayList<>();
      code.add(new Code.Declare(hi, PrimType.I64, end));
      code.add(
          new Code.For(
              row.index(),
              PrimType.I64,
              Expr.i64(lo),
              Expr.i64(hi),
              row.range(),
              row.invariant(),
              row.order(),
              row.body()));
      code.add(new Code.Assign(at, new Expr.Index(next)));
      code.add(new Code.Assign(lo, Expr.i64(0)));
      code.add(new Code.Assign(more, isMore()));
      List<Code> level = code;
      for (ResultSpace.Dimension d : outer.reversed()) {
        level.add(new Code.Assign(d.index(), new Expr.Index(Poly.of(d.index()).plus(Poly.ONE))));
        if (d != outer.getFirst()) {
          List<Code> carry = new ArrayList<>();
          carry.add(new Code.Assign(d.index(), Expr.i64(0)));
          Expr isInside = Expr.less(Expr.i64(d.index()), new Expr.Index(d.extent()));
          level.add(new Code.If(isInside, List.of(), carry));
          level = carry;
        }
      }
      return code;
    }

    private Expr isMore() {
      return Expr.less(Expr.i64(at), Expr.i64(region.to()));
    }

    /** Tests whether statements compute the indices of the region's first iteration. */
    boolean isStart(List<Code> code, List<ResultSpace.Dimension> outer) {
      if (code.size() < 5 || !(code.get(2) instanceof Code.Declare row)) {
        return false;
      }
      List<Code> start = new ArrayList<>();
      start.add(new Code.Declare(at, PrimType.I64, Expr.i64(region.from())));
      start.add(new Code.Declare(more, PrimType.BOOL, isMore()));
      start.add(quotient(row.name(), at, extent));
      start.add(remainder(lo, at, row.name(), extent));
      Name rest = row.name();
      for (ResultSpace.Dimension d : outer.reversed()) {
        int next = start.size();
        if (d == outer.getFirst()) {
          start.add(new Code.Declare(d.index(), PrimType.I64, Expr.i64(rest)));
        } else if (next < code.size() && code.get(next) instanceof Code.Declare quotient) {
          start.add(quotient(quotient.name(), rest, d.extent()));
          start.add(remainder(d.index(), rest, quotient.name(), d.extent()));
          rest = quotient.name();
        } else {
          return false;
        }
      }
      return start.equals(code.subList(0, code.size() - 1));
    }

    private static Code quotient(Name name, Name dividend, Poly divisor) {
      Expr value = Expr.binary(BinOp.Kind.SQUOT, Expr.i64(dividend), new Expr.Index(divisor));
      return new Code.Declare(name, PrimType.I64, value);
    }

    private static Code remainder(Name name, Name dividend, Name quotient, Poly divisor) {
      Poly value = Poly.of(dividend).minus(Poly.of(quotient).times(divisor));
      return new Code.Declare(name, PrimType.I64, new Expr.Index(value));
    }
  }
}
