package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The code that kernels of one reduction share: for an index, for a part of a segment, and for a
 * segment's result.
 */
final class Reduction {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final ArrayOps arrays;
  private final Statements statements;
  private final Operators operators;
  private final Stm s;
  private final SegOp.SegRed r;

  Reduction(
      FunctionSymbols scope,
      Kernels kernels,
      ArrayOps arrays,
      Statements statements,
      Operators operators,
      Stm stm,
      SegOp.SegRed reduction) {
    this.scope = scope;
    this.kernels = kernels;
    this.arrays = arrays;
    this.statements = statements;
    this.operators = operators;
    this.s = stm;
    this.r = reduction;
  }

  /** Returns the dimensions of the segments. */
  List<SegSpace.Dim> outer() {
    return r.space().dims().subList(0, r.space().dims().size() - 1);
  }

  /** Returns the index within a segment. */
  Name index() {
    return r.space().dims().get(r.space().dims().size() - 1).index();
  }

  /** Declares the accumulators of a kernel's threads. */
  ThreadAccumulators accumulators(KernelFrame k, List<Code> out) {
    return new ThreadAccumulators(scope, kernels, operators, k, r.ops(), out);
  }

  /** Evaluates the body at an index, and stores its mapped results. */
  void body(List<Code> out) {
    List<SubExp> results = r.body().values();
    statements.lower(r.body().stms(), results, List.of(), out);
    int n = r.operands();
    int reduced = s.pat().size() - (results.size() - n);
    List<PatElem> mapped = s.pat().subList(reduced, s.pat().size());
    arrays.storeAt(mapped, r.space().dims(), results.subList(n, results.size()), out);
  }

  /** Returns the operands of the operators: the body's results at an index. */
  List<Expr> operands() {
    return r.body().values().subList(0, r.operands()).stream().map(scope::expr).toList();
  }

  /** Evaluates the body at an index, and accumulates its operands. */
  void element(ThreadAccumulators accs, List<Code> out) {
    body(out);
    accs.append(operands(), out);
  }

  /** Accumulates a strided range of a segment. */
  void elements(ThreadAccumulators accs, Poly from, Poly step, Poly to, List<Code> out) {
    kernels.strided(
        KernelFrame.Stride.of(from, step),
        to,
        (i, body) -> {
          scope.declare(index(), Type.I64, Expr.i64(i), body);
          body(body);
        },
        body -> accs.append(operands(), body),
        out);
  }

  /** Stores the result of a segment. */
  void result(ThreadAccumulators accs, List<Code> out) {
    Lambda post = r.post();
    if (post == null) {
      List<Expr> values = accs.values();
      List<PrimType> types = accs.types();
      for (int k = 0; k < values.size(); k++) {
        arrays.storeScalar(s.pat().get(k).type(), outer(), types.get(k), values.get(k), out);
      }
      return;
    }
    accs.bind(post.params(), accs.values(), out);
    List<SubExp> results = post.body().results();
    statements.lower(post.body().stms(), results, List.of(), out);
    arrays.storeAt(s.pat().subList(0, results.size()), outer(), results, out);
  }

  /** A contiguous range of indices. */
  record Piece(Poly from, Poly to) {}

  /** Returns one of several equal subranges of a range. */
  Piece piece(Poly first, Poly end, Poly pieces, Poly number, List<Code> out) {
    Expr share =
        Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(end.minus(first)), new Expr.Index(pieces));
    Poly own = Poly.of(kernels.let("own", share, out));
    Poly from = first.plus(own.times(number));
    return new Piece(from, Poly.of(kernels.let("to", smaller(from.plus(own), end), out)));
  }

  List<PrimType> types() {
    List<PrimType> types = new ArrayList<>();
    for (SegOp.SegBinOp op : r.ops()) {
      for (SubExp n : op.neutral()) {
        types.add(scope.type(n).elemPrim());
      }
    }
    return types;
  }

  /** Allocates blocks for the results of parts, one block for each operand. */
  List<Name> partials(List<PrimType> types, Poly count, List<Code> out) {
    List<Name> partials = new ArrayList<>();
    for (PrimType t : types) {
      Name n = scope.names.fresh("partials");
      Expr bytes = new Expr.Index(count.times(t.bytes()));
      out.add(new Code.Alloc(n, PrimType.I8, bytes, scope.loc()));
      partials.add(n);
    }
    return partials;
  }

  static void store(
      List<Name> partials, List<PrimType> types, Poly at, List<Expr> values, List<Code> out) {
    for (int j = 0; j < partials.size(); j++) {
      out.add(new Code.Store(partials.get(j), types.get(j), at, values.get(j)));
    }
  }

  /** Accumulates the results of a range of parts, in order. */
  void combine(
      List<Name> partials,
      List<PrimType> types,
      Piece piece,
      UnaryOperator<Poly> place,
      ThreadAccumulators accs,
      List<Code> out) {
    List<Expr> found = new ArrayList<>();
    kernels.strided(
        KernelFrame.Stride.of(piece.from, Poly.ONE),
        piece.to,
        (i, body) -> {
          for (int j = 0; j < partials.size(); j++) {
            Name n = scope.names.fresh("found");
            Expr load = new Expr.Load(partials.get(j), types.get(j), place.apply(Poly.of(i)));
            scope.declare(n, Type.prim(types.get(j)), load, body);
            found.add(new Expr.Var(n, types.get(j)));
          }
        },
        body -> accs.append(found, body),
        out);
  }

  static Expr smaller(Poly a, Poly b) {
    return Expr.binary(BinOp.Kind.SMIN, new Expr.Index(a), new Expr.Index(b));
  }
}
