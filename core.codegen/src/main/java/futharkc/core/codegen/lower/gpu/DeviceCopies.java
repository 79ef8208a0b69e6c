package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.CopyLoops;
import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A lowering of copies, fills and counts of whole arrays in programs for a GPU: by a kernel, by the
 * threads of a thread block, or by one thread. Transposes use shared memory, so that accesses to
 * both arrays are coalesced.
 */
final class DeviceCopies implements CopyLoops {
  private final FunctionSymbols scope;
  private final Kernels kernels;

  DeviceCopies(FunctionSymbols scope, Kernels kernels) {
    this.scope = scope;
    this.kernels = kernels;
  }

  @Override
  public void copy(PrimType elem, Side to, Side from, List<Dim> dims, List<Code> out) {
    int n = dims.size();
    boolean host = scope.place() == ExecutionUnit.HOST;
    if (host && (n == 0 || n == 1 && dims.get(0).isRun())) {
      Poly size = n == 0 ? Poly.ONE : dims.get(0).size();
      Expr count = new Expr.Index(size);
      out.add(new Code.CopyRun(to.block(), to.offset(), from.block(), from.offset(), elem, count));
      return;
    }
    if (host && n > 1) {
      Dim last = dims.get(n - 1);
      boolean gather = last.to().equals(Poly.ONE);
      if (gather != last.from().equals(Poly.ONE)) {
        for (int i = n - 2; i >= 0; i--) {
          Dim d = dims.get(i);
          if (!(gather ? d.from() : d.to()).equals(Poly.ONE)) {
            continue;
          }
          int read = gather ? i : n - 1;
          int write = gather ? n - 1 : i;
          new Transposes(scope, kernels, this, elem, to, from, dims, read, write).lower(out);
          return;
        }
      }
    }
    plain(elem, to, from, dims, out);
  }

  /** Copies element by element. */
  void plain(PrimType elem, Side to, Side from, List<Dim> dims, List<Code> out) {
    int n = dims.size();
    each(
        "copy",
        dims.stream().map(Dim::size).toList(),
        (index, code) -> {
          Poly toAt = to.offset();
          Poly fromAt = from.offset();
          for (int i = 0; i < n; i++) {
            toAt = toAt.plus(index.get(i).times(dims.get(i).to()));
            fromAt = fromAt.plus(index.get(i).times(dims.get(i).from()));
          }
          Name copied = scope.names.fresh("copied");
          Expr load = new Expr.Load(from.block(), elem, fromAt);
          scope.declare(copied, Type.prim(elem), load, code);
          code.add(new Code.Store(to.block(), elem, toAt, new Expr.Var(copied, elem)));
        },
        out);
  }

  @Override
  public void fill(PrimType elem, Side to, List<Dim> dims, Expr value, List<Code> out) {
    each(
        "replicate",
        dims.stream().map(Dim::size).toList(),
        (index, code) -> {
          Poly at = to.offset();
          for (int i = 0; i < dims.size(); i++) {
            at = at.plus(index.get(i).times(dims.get(i).to()));
          }
          code.add(new Code.Store(to.block(), elem, at, value));
        },
        out);
  }

  @Override
  public void iota(Side to, Poly step, BasicOp.Iota x, List<Code> out) {
    each(
        "iota",
        List.of(scope.poly(x.count())),
        (index, code) -> {
          Expr at = new Expr.Index(index.get(0));
          if (x.type() != PrimType.I64) {
            at = new Expr.Convert(new ConvOp(ConvOp.Kind.SEXT, PrimType.I64, x.type()), at);
          }
          BinOp mul = new BinOp(BinOp.Kind.MUL, x.type());
          BinOp add = new BinOp(BinOp.Kind.ADD, x.type());
          Expr term = x.stride().isInt(1) ? at : new Expr.Binary(mul, at, scope.expr(x.stride()));
          Expr value =
              x.start().isInt(0) ? term : new Expr.Binary(add, scope.expr(x.start()), term);
          Poly place = to.offset().plus(index.get(0).times(step));
          code.add(new Code.Store(to.block(), x.type(), place, value));
        },
        out);
  }

  /** Runs code for each index of a shape. */
  void each(
      String kind, List<Poly> sizes, BiConsumer<List<Poly>, List<Code>> body, List<Code> out) {
    Poly total = Poly.ONE;
    for (Poly s : sizes) {
      total = total.times(s);
    }
    Poly all = total;
    switch (scope.place()) {
      case CORES -> throw new IllegalStateException("a device's copy on the CPU");
      case HOST -> {
        List<Code> launch = new ArrayList<>();
        Kernels.Grid grid = kernels.grid(kind, false, launch);
        kernels.forEach(
            kind,
            grid,
            all,
            (i, one) -> {
              List<Code.Dimension> space = space(i, sizes, one);
              KernelFrame.of(scope).runsThrough(space);
              body.accept(indices(space), one);
            },
            launch);
        out.add(new Code.Scope(launch));
      }
      case BLOCK -> {
        KernelFrame k = KernelFrame.of(scope);
        kernels.together(
            code ->
                kernels.strided(
                    k.acrossBlock(),
                    all,
                    (i, one) -> body.accept(indices(i, sizes, one), one),
                    code),
            out);
      }
      case THREAD -> {
        List<Name> index = new ArrayList<>();
        for (int d = 0; d < sizes.size(); d++) {
          Name i = scope.names.fresh("i");
          scope.add(i, Type.I64);
          index.add(i);
        }
        List<Code> code = new ArrayList<>();
        body.accept(index.stream().map(Poly::of).toList(), code);
        for (int d = sizes.size() - 1; d >= 0; d--) {
          Expr end = new Expr.Index(sizes.get(d));
          code =
              List.of(
                  new Code.For(
                      index.get(d),
                      PrimType.I64,
                      Expr.i64(0),
                      end,
                      0,
                      new Code.Order.Independent(),
                      code));
        }
        out.addAll(code);
      }
    }
  }

  /** Declares the indices of a row-major position, and returns them. */
  List<Poly> indices(Name flat, List<Poly> sizes, List<Code> out) {
    return indices(space(flat, sizes, out));
  }

  private static List<Poly> indices(List<Code.Dimension> space) {
    List<Poly> indices = new ArrayList<>();
    for (Code.Dimension d : space) {
      indices.add(Poly.of(d.index()));
    }
    return indices;
  }

  /** Declares the indices of a row-major position, and returns the dimensions. */
  private List<Code.Dimension> space(Name flat, List<Poly> sizes, List<Code> out) {
    List<Code.Dimension> space = new ArrayList<>();
    Name rest = flat;
    for (int d = sizes.size() - 1; d > 0; d--) {
      Expr size = new Expr.Index(sizes.get(d));
      Name quotient = kernels.let("rest", Expr.binary(BinOp.Kind.SQUOT, Expr.i64(rest), size), out);
      Poly i = Poly.of(rest).minus(Poly.of(quotient).times(sizes.get(d)));
      Name index = kernels.let("i", new Expr.Index(i), out);
      space.add(new Code.Dimension(index, rest, sizes.get(d)));
      rest = quotient;
    }
    if (!sizes.isEmpty()) {
      space.add(new Code.Dimension(rest, rest, sizes.getFirst()));
    }
    return space.reversed();
  }
}
