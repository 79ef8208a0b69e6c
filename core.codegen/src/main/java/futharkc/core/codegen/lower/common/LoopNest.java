package futharkc.core.codegen.lower.common;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Loops over the space of a parallel operation. */
public final class LoopNest {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final Statements statements;
  private final boolean independent;

  /** The known range of the bounds of innermost loops. */
  private final Code.Range bounds;

  /** Creates loops whose iterations may depend on earlier ones. */
  public LoopNest(FunctionSymbols scope, BlockLifetimes blocks, Statements statements) {
    this(scope, blocks, statements, false, Code.Range.UNKNOWN);
  }

  private LoopNest(
      FunctionSymbols scope,
      BlockLifetimes blocks,
      Statements statements,
      boolean independent,
      Code.Range bounds) {
    this.scope = scope;
    this.blocks = blocks;
    this.statements = statements;
    this.independent = independent;
    this.bounds = bounds;
  }

  /** Returns loops whose iterations may run in any order and in parallel. */
  public LoopNest independent() {
    return new LoopNest(scope, blocks, statements, true, bounds);
  }

  /**
   * Returns loops over spaces whose number of indices is at most the number of elements of a block.
   */
  public LoopNest fitting() {
    return new LoopNest(scope, blocks, statements, independent, Code.Range.FITS);
  }

  /** Returns the number of indices of these dimensions. */
  public Poly size(List<SegSpace.Dim> dims) {
    Poly n = Poly.ONE;
    for (SegSpace.Dim d : dims) {
      n = n.times(scope.poly(d.size()));
    }
    return n;
  }

  /** Declares the types of the indices, and the flat index as a polynomial of them. */
  public void enter(SegSpace space) {
    Poly flat = Poly.ZERO;
    for (SegSpace.Dim d : space.dims()) {
      scope.add(d.index(), Type.I64);
      flat = flat.times(Poly.of(d.size())).plus(Poly.of(d.index()));
    }
    scope.bind(space.flat(), flat);
  }

  /**
   * Runs code for the indices from one row-major position to another, which is larger. The
   * innermost dimension becomes a tight loop, which records its invariant statements.
   *
   * @param dims one or more dimensions
   * @param finish adds the rest of the body after the statements
   * @return the variant code of the innermost loop, from which the cost is estimated
   */
  public List<Code> range(
      List<SegSpace.Dim> dims,
      Name from,
      Name to,
      Split split,
      List<SubExp> results,
      Consumer<List<Code>> finish,
      List<Code> out) {
    SegSpace.Dim last = dims.get(dims.size() - 1);
    List<Code> body = new ArrayList<>();
    statements.lower(split.invariant, results, List.of(), body);
    int invariant = body.size();
    List<Code> variant = new ArrayList<>();
    statements.lower(split.variant, results, List.of(), variant);
    finish.accept(variant);
    body.addAll(variant);
    if (dims.size() == 1) {
      out.add(loop(last.index(), Expr.i64(from), Expr.i64(to), invariant, body));
      return variant;
    }
    List<Code> row = new ArrayList<>();
    Name lo = scope.names.fresh("lo");
    Name hi = scope.names.fresh("hi");
    Name at = scope.names.fresh("at");
    Name more = scope.names.fresh("more");
    Expr n = new Expr.Index(scope.poly(last.size()));
    Name rowIndex = scope.names.fresh("row");
    out.add(new Code.Declare(at, PrimType.I64, Expr.i64(from)));
    out.add(new Code.Declare(more, PrimType.BOOL, Expr.less(Expr.i64(at), Expr.i64(to))));
    out.add(
        new Code.Declare(rowIndex, PrimType.I64, Expr.binary(BinOp.Kind.SQUOT, Expr.i64(at), n)));
    out.add(
        new Code.Declare(
            lo,
            PrimType.I64,
            new Expr.Index(Poly.of(at).minus(Poly.of(rowIndex).times(scope.poly(last.size()))))));
    decompose(dims.subList(0, dims.size() - 1), rowIndex, out);
    Expr rest = new Expr.Index(Poly.of(lo).plus(Poly.of(to)).minus(Poly.of(at)));
    row.add(new Code.Declare(hi, PrimType.I64, Expr.binary(BinOp.Kind.SMIN, n, rest)));
    row.add(loop(last.index(), Expr.i64(lo), Expr.i64(hi), invariant, body));
    row.add(new Code.Assign(at, new Expr.Index(Poly.of(at).plus(Poly.of(hi)).minus(Poly.of(lo)))));
    row.add(new Code.Assign(lo, Expr.i64(0)));
    row.add(new Code.Assign(more, Expr.less(Expr.i64(at), Expr.i64(to))));
    increment(dims.subList(0, dims.size() - 1), row);
    out.add(new Code.While(more, row));
    return variant;
  }

  /** Runs code for the indices from one row-major position to another. */
  public void range(
      List<SegSpace.Dim> dims, Name from, Name to, Consumer<List<Code>> body, List<Code> out) {
    range(dims, from, to, Split.of(List.of(), 0), List.of(), body, out);
  }

  private Code loop(Name index, Expr from, Expr to, int invariant, List<Code> body) {
    Code.Order order = independent ? new Code.Order.Independent() : Code.Order.UNKNOWN;
    return new Code.For(index, PrimType.I64, from, to, bounds, invariant, order, body);
  }

  /** Declares the indices of a flat, row-major position, and returns the dimensions. */
  public List<Code.Dimension> decompose(List<SegSpace.Dim> dims, Name flat, List<Code> out) {
    List<Code.Dimension> space = new ArrayList<>();
    Name rest = flat;
    for (int d = dims.size() - 1; d >= 0; d--) {
      Name index = dims.get(d).index();
      Poly size = scope.poly(dims.get(d).size());
      space.add(new Code.Dimension(index, rest, size));
      scope.add(index, Type.I64);
      if (d == 0) {
        out.add(new Code.Declare(index, PrimType.I64, Expr.i64(rest)));
        break;
      }
      Expr n = new Expr.Index(size);
      Name quotient = scope.names.fresh("rest");
      out.add(
          new Code.Declare(
              quotient, PrimType.I64, Expr.binary(BinOp.Kind.SQUOT, Expr.i64(rest), n)));
      out.add(
          new Code.Declare(
              index,
              PrimType.I64,
              new Expr.Index(Poly.of(rest).minus(Poly.of(quotient).times(size)))));
      rest = quotient;
    }
    return space.reversed();
  }

  /** Returns the indices of a row-major position in a shape. */
  public List<Poly> indices(Name flat, List<SubExp> shape, List<Code> out) {
    List<SegSpace.Dim> dims =
        shape.stream().map(d -> new SegSpace.Dim(scope.names.fresh("i"), d)).toList();
    decompose(dims, flat, out);
    return dims.stream().map(d -> Poly.of(d.index())).toList();
  }

  /** Increments the indices in row-major order. */
  private void increment(List<SegSpace.Dim> dims, List<Code> out) {
    List<Code> code = out;
    for (int d = dims.size() - 1; d >= 0; d--) {
      Name index = dims.get(d).index();
      code.add(new Code.Assign(index, new Expr.Index(Poly.of(index).plus(Poly.ONE))));
      if (d == 0) {
        return;
      }
      List<Code> carry = new ArrayList<>();
      carry.add(new Code.Assign(index, Expr.i64(0)));
      Expr n = new Expr.Index(scope.poly(dims.get(d).size()));
      code.add(new Code.If(Expr.less(Expr.i64(index), n), List.of(), carry));
      code = carry;
    }
  }

  /** Runs code for each index in order, outside of kernels, by plain loops. */
  public void each(List<SegSpace.Dim> dims, Consumer<List<Code>> body, List<Code> out) {
    List<Code> code = new ArrayList<>();
    body.accept(code);
    for (int d = dims.size() - 1; d >= 0; d--) {
      SegSpace.Dim dim = dims.get(d);
      code =
          new ArrayList<>(
              List.of(
                  new Code.For(
                      dim.index(),
                      PrimType.I64,
                      Expr.i64(0),
                      new Expr.Index(scope.poly(dim.size())),
                      code)));
    }
    out.addAll(code);
  }

  /**
   * The statements of a body: first those that are invariant in the innermost dimension, and may be
   * evaluated before all its indices, then the rest.
   */
  public record Split(List<Stm> invariant, List<Stm> variant) {
    /** Returns the statements, of which the first {@code invariant} ones are invariant. */
    public static Split of(List<Stm> stms, int invariant) {
      return new Split(stms.subList(0, invariant), stms.subList(invariant, stms.size()));
    }
  }
}
