package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Body;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A lowering of reductions and scans whose operators are lifted to arrays. One thread goes through
 * each segment; its accumulators are in device memory.
 */
final class SequentialSegments {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final ArrayOps arrays;
  private final Statements statements;
  private final LoopNest nest;
  private final Operators operators;

  SequentialSegments(
      FunctionSymbols scope,
      Kernels kernels,
      ArrayOps arrays,
      Statements statements,
      LoopNest nest,
      Operators operators) {
    this.scope = scope;
    this.kernels = kernels;
    this.arrays = arrays;
    this.statements = statements;
    this.nest = nest;
    this.operators = operators;
  }

  /** The accumulator of one operand: a slice of a block, with a shape. */
  private record Accumulated(
      Name block, PrimType elem, List<SubExp> shape, Lmad place, SubExp neutral) {}

  private final class Run {
    final SegLevel level;
    final List<SegOp.SegBinOp> ops;
    final List<SegSpace.Dim> outer;
    final SegSpace.Dim last;
    final List<List<Accumulated>> accs = new ArrayList<>();

    Run(SegOp op, List<SegOp.SegBinOp> ops) {
      this.level = op.level();
      this.ops = ops;
      List<SegSpace.Dim> dims = op.space().dims();
      this.outer = dims.subList(0, dims.size() - 1);
      this.last = dims.get(dims.size() - 1);
    }

    /**
     * Allocates accumulators for each user.
     *
     * @param users the number of users: threads or thread blocks
     * @param user the index of the current user
     */
    void allocate(KernelFrame k, Poly users, Poly user) {
      for (SegOp.SegBinOp op : ops) {
        List<Accumulated> own = new ArrayList<>();
        for (SubExp neutral : op.neutral()) {
          PrimType elem = scope.type(neutral).elemPrim();
          Poly n = operators.size(op.shape());
          Name block = k.device("accumulated", users.times(n).times(elem.bytes()));
          scope.add(block, new Type.Mem(new Space.Device()));
          Lmad place = Lmad.rowMajor(user.times(n), op.shape());
          own.add(new Accumulated(block, elem, op.shape(), place, neutral));
        }
        accs.add(own);
      }
    }

    void reset(List<Code> out) {
      for (List<Accumulated> own : accs) {
        for (Accumulated a : own) {
          ArrayMem m = new ArrayMem(a.block, a.place);
          arrays.copies().fill(a.elem, m, a.shape, scope.expr(a.neutral), out);
        }
      }
    }

    /** Combines the accumulators with the results of a body. */
    void append(List<SubExp> values, List<Code> out) {
      int at = 0;
      for (int o = 0; o < ops.size(); o++) {
        SegOp.SegBinOp op = ops.get(o);
        List<Accumulated> own = accs.get(o);
        List<SubExp> mine = values.subList(at, at + own.size());
        at += own.size();
        List<Code> code = new ArrayList<>();
        operators.elementwise(
            op.shape(),
            index -> {
              List<Expr> left = new ArrayList<>();
              List<Expr> right = new ArrayList<>();
              for (int j = 0; j < own.size(); j++) {
                Accumulated a = own.get(j);
                left.add(new Expr.Load(a.block, a.elem, scope.place(a.place.index(index))));
                right.add(operators.value(mine.get(j), index));
              }
              List<Code> step = new ArrayList<>();
              operators.apply(
                  op.op(),
                  left,
                  right,
                  results -> {
                    for (int j = 0; j < own.size(); j++) {
                      Accumulated a = own.get(j);
                      Poly to = scope.place(a.place.index(index));
                      step.add(new Code.Store(a.block, a.elem, to, scope.expr(results.get(j))));
                    }
                  },
                  step);
              return step;
            },
            code);
        out.add(new Code.Scope(code));
      }
    }

    /** Binds parameters to the accumulated values. */
    void bind(List<Param> params, Body code, List<Code> out) {
      int k = 0;
      for (List<Accumulated> own : accs) {
        for (Accumulated a : own) {
          Param p = params.get(k++);
          if (a.shape.isEmpty()) {
            Poly at = scope.place(a.place.index(List.of()));
            scope.declare(p.name(), p.type(), new Expr.Load(a.block, a.elem, at), out);
          } else {
            arrays.copies().bind(p, new ArrayMem(a.block, a.place), code, out);
          }
        }
      }
    }

    /** Returns the accumulated values as operands. */
    List<SubExp> values(List<Code> out) {
      List<Param> params = new ArrayList<>();
      for (List<Accumulated> own : accs) {
        for (Accumulated a : own) {
          Type t = Type.array(Type.prim(a.elem), a.shape);
          params.add(new Param(scope.names.fresh("reduced"), t));
        }
      }
      bind(params, new Body(List.of(), List.of()), out);
      return params.stream().map(p -> SubExp.of(p.name())).toList();
    }
  }

  void reduce(Stm s, SegOp.SegRed r, List<Code> out) {
    Run run = new Run(r, r.ops());
    List<SubExp> results = r.body().values();
    int n = r.operands();
    int reduced = s.pat().size() - (results.size() - n);
    List<PatElem> totals = s.pat().subList(0, reduced);
    List<PatElem> mapped = s.pat().subList(reduced, s.pat().size());
    Map<Integer, Name> slots = scope.place() == ExecutionUnit.BLOCK ? slots(totals) : Map.of();
    segments(
        run,
        "segred_arrays",
        body -> {
          statements.lower(r.body().stms(), results, List.of(), body);
          run.append(results.subList(0, n), body);
          arrays.storeAt(mapped, r.space().dims(), results.subList(n, results.size()), body);
        },
        end -> {
          Lambda post = r.post();
          List<SubExp> values;
          if (post == null) {
            values = run.values(end);
          } else {
            run.bind(post.params(), post.body(), end);
            values = post.body().results();
            statements.lower(post.body().stms(), values, List.of(), end);
          }
          arrays.storeAt(totals, run.outer, values, end);
          slots.forEach(
              (k, slot) -> {
                PrimType t = totals.get(k).type().elemPrim();
                end.add(new Code.Store(slot, t, Poly.ZERO, scope.expr(values.get(k))));
              });
        },
        out);
    tell(totals, slots, out);
  }

  /**
   * Declares shared memory for each scalar result of a reduction in a thread block, keyed by the
   * result's index. One thread reduces, and all threads read the result.
   */
  private Map<Integer, Name> slots(List<PatElem> totals) {
    Map<Integer, Name> slots = new TreeMap<>();
    for (int k = 0; k < totals.size(); k++) {
      Type t = totals.get(k).type();
      if (!(t instanceof Type.Prim) || FunctionSymbols.isUnit(t)) {
        continue;
      }
      slots.put(k, KernelFrame.of(scope).shared("total", Poly.of(t.elemPrim().bytes())));
    }
    return slots;
  }

  /** Declares the scalar results in all threads, loaded from shared memory. */
  private void tell(List<PatElem> totals, Map<Integer, Name> slots, List<Code> out) {
    slots.forEach(
        (k, slot) -> {
          PatElem p = totals.get(k);
          Expr total = new Expr.Load(slot, p.type().elemPrim(), Poly.ZERO);
          scope.declare(p.name(), p.type(), total, out);
        });
  }

  void scan(Stm s, SegOp.SegScan c, List<Code> out) {
    Run run = new Run(c, c.ops());
    List<SubExp> results = c.body().values();
    int operands = c.ops().stream().mapToInt(o -> o.neutral().size()).sum();
    segments(
        run,
        "segscan_arrays",
        body -> {
          statements.lower(c.body().stms(), results, List.of(), body);
          run.append(results.subList(0, operands), body);
          List<Param> params = c.post().params();
          run.bind(params, c.post().body(), body);
          for (int k = operands; k < params.size(); k++) {
            Param p = params.get(k);
            if (p.type() instanceof Type.Prim) {
              scope.declare(p.name(), p.type(), scope.expr(results.get(k)), body);
            } else {
              arrays.bind(p, results.get(k), c.post().body(), body);
            }
          }
          List<SubExp> posted = c.post().body().results();
          statements.lower(c.post().body().stms(), posted, List.of(), body);
          arrays.storeAt(s.pat(), c.space().dims(), posted, body);
        },
        end -> {},
        out);
  }

  /** Runs code for each element of each segment. */
  private void segments(
      Run run,
      String kind,
      java.util.function.Consumer<List<Code>> body,
      java.util.function.Consumer<List<Code>> end,
      List<Code> out) {
    Poly segments = nest.size(run.outer);
    if (scope.place() == ExecutionUnit.BLOCK) {
      KernelFrame k = KernelFrame.of(scope);
      run.allocate(k, k.all(), k.id());
      kernels.together(
          code -> {
            ExecutionUnit block = scope.enter(ExecutionUnit.THREAD, k);
            kernels.inSteps(
                k.acrossBlock(), segments, (i, one) -> segment(run, i, body, end, one), code);
            scope.leave(block);
          },
          out);
      return;
    }
    List<Code> launch = new ArrayList<>();
    Kernels.Grid grid = kernels.grid(run.level, kind, true, launch);
    kernels.launch(
        kind,
        ExecutionUnit.THREAD,
        grid.blocksFor(segments),
        grid.threads(),
        (k, code) -> {
          run.allocate(k, k.all(), k.id());
          kernels.attempt(
              c ->
                  kernels.inSteps(
                      k.acrossGrid(), segments, (i, one) -> segment(run, i, body, end, one), c),
              code);
        },
        launch);
    out.add(new Code.Scope(launch));
  }

  private void segment(
      Run run,
      Name number,
      java.util.function.Consumer<List<Code>> body,
      java.util.function.Consumer<List<Code>> end,
      List<Code> out) {
    nest.decompose(run.outer, number, out);
    run.reset(out);
    List<Code> loop = new ArrayList<>();
    body.accept(loop);
    out.add(
        new Code.For(
            run.last.index(), PrimType.I64, Expr.i64(0), scope.expr(run.last.size()), loop));
    end.accept(out);
  }
}
