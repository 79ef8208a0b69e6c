package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegStrategy;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A reduction of a range by a thread block, window by window, for operators that do not commute.
 * Adjacent threads evaluate adjacent elements and store them in shared memory. Then each thread
 * combines consecutive elements, the threads' results are combined, and the first thread adds the
 * window's result to that of earlier windows.
 */
final class NonCommutativeBlockReduction {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final KernelFrame frame;
  private final ThreadAccumulators accs;
  private final List<PrimType> types;
  private final int items;
  private final int repeated;
  private final Poly window;
  private final List<Name> shared = new ArrayList<>();
  private final List<Name> before = new ArrayList<>();

  /**
   * Declares the shared memory and variables of one kernel.
   *
   * @param windows the size of windows: a constant, so that the compiler unrolls the loop and loads
   *     overlap
   */
  NonCommutativeBlockReduction(
      FunctionSymbols scope,
      Kernels kernels,
      KernelFrame frame,
      ThreadAccumulators accs,
      SegStrategy.Windows windows,
      List<Code> out) {
    this.scope = scope;
    this.kernels = kernels;
    this.frame = frame;
    this.accs = accs;
    this.types = accs.types();
    this.items = windows.items();
    this.repeated = windows.repeated();
    this.window = Poly.of(frame.threads).times(items);
    List<Expr> neutral = accs.each(accs::neutral);
    for (int j = 0; j < types.size(); j++) {
      shared.add(frame.shared("items", window.times(types.get(j).bytes())));
      before.add(scope.names.fresh("before"));
      scope.declare(before.get(j), Type.prim(types.get(j)), neutral.get(j), out);
    }
  }

  /**
   * Reduces a range; the first thread has the result.
   *
   * @param element evaluates the body at an index
   * @param operands returns the results of the last evaluation
   */
  void reduce(
      Poly from,
      Poly to,
      BiConsumer<Name, List<Code>> element,
      Supplier<List<Expr>> operands,
      List<Code> out) {
    keep(accs.each(accs::neutral), out);
    kernels.inSteps(
        KernelFrame.Stride.of(from, window),
        to,
        (first, code) -> {
          read(Poly.of(first), to, element, operands, code);
          own(code);
          // Shared memory is faster than shuffles for repeated reductions.
          accs.reduceShared(code);
          List<Code> add = new ArrayList<>();
          kernels.attempt(c -> accs.prepend(all(before), c), add);
          keep(accs.values(), add);
          code.add(new Code.If(frame.isFirst(), add, List.of()));
        },
        out);
    accs.set(all(before), out);
  }

  private List<Expr> all(List<Name> names) {
    List<Expr> all = new ArrayList<>();
    for (int j = 0; j < names.size(); j++) {
      all.add(new Expr.Var(names.get(j), types.get(j)));
    }
    return all;
  }

  private void keep(List<Expr> values, List<Code> out) {
    for (int j = 0; j < values.size(); j++) {
      out.add(new Code.Assign(before.get(j), values.get(j)));
    }
  }

  private void put(Poly at, List<Expr> values, List<Code> out) {
    for (int j = 0; j < types.size(); j++) {
      out.add(new Code.Store(shared.get(j), types.get(j), at, values.get(j)));
    }
  }

  private List<Expr> item(Poly at) {
    List<Expr> all = new ArrayList<>();
    for (int j = 0; j < types.size(); j++) {
      all.add(new Expr.Load(shared.get(j), types.get(j), at));
    }
    return all;
  }

  private void each(BiConsumer<Name, List<Code>> body, List<Code> out) {
    kernels.attempt(c -> kernels.strided(frame.acrossBlock(), window, body, c), out);
  }

  /**
   * Evaluates the elements of a window; positions behind the end get neutral elements. If the body
   * is pure, it is evaluated at the last position instead of those behind the end. All loads of a
   * thread then overlap.
   */
  private void read(
      Poly base,
      Poly to,
      BiConsumer<Name, List<Code>> element,
      Supplier<List<Expr>> operands,
      List<Code> out) {
    BiConsumer<Name, List<Code>> inside =
        (i, code) -> {
          Name at = kernels.let("at", new Expr.Index(base.plus(Poly.of(i))), code);
          element.accept(at, code);
          put(Poly.of(i), operands.get(), code);
        };
    List<Expr> neutral = accs.each(accs::neutral);
    int[] statements = {0};
    boolean[] isPure = {false};
    List<Code> some = new ArrayList<>();
    each(
        (i, code) -> {
          List<Code> here = new ArrayList<>();
          inside.accept(i, here);
          statements[0] = CodeSearch.countStatements(here);
          isPure[0] = CodeCopies.isPure(here.subList(0, here.size() - types.size()));
          List<Code> behind = new ArrayList<>();
          put(Poly.of(i), neutral, behind);
          code.add(new Code.If(less(base.plus(Poly.of(i)), to), here, behind));
        },
        some);
    // A thread that fails has defined elements nevertheless.
    if (Failures.arePossible(some)) {
      each((i, code) -> put(Poly.of(i), neutral, code), out);
    }
    if (statements[0] > repeated) {
      out.addAll(some);
    } else {
      List<Code> whole = new ArrayList<>();
      each(inside, whole);
      if (isPure[0]) {
        some.clear();
        each((i, code) -> readBefore(base.plus(Poly.of(i)), to, i, element, operands, code), some);
      }
      Expr isWhole = Expr.atMost(new Expr.Index(base.plus(window)), new Expr.Index(to));
      out.add(new Code.If(isWhole, whole, some));
    }
    out.add(new Code.Barrier());
  }

  /** Evaluates an element. Behind the end, evaluates the last element and stores a neutral one. */
  private void readBefore(
      Poly at,
      Poly to,
      Name i,
      BiConsumer<Name, List<Code>> element,
      Supplier<List<Expr>> operands,
      List<Code> out) {
    Expr nearest = Reduction.smaller(at, to.minus(Poly.ONE));
    element.accept(kernels.let("at", nearest, out), out);
    List<Code> here = new ArrayList<>();
    put(Poly.of(i), operands.get(), here);
    List<Code> behind = new ArrayList<>();
    put(Poly.of(i), accs.each(accs::neutral), behind);
    out.add(new Code.If(less(at, to), here, behind));
  }

  private static Expr less(Poly a, Poly b) {
    return Expr.less(new Expr.Index(a), new Expr.Index(b));
  }

  /** Combines the elements of each thread. */
  private void own(List<Code> out) {
    Poly mine = Poly.of(frame.thread).times(items);
    accs.set(item(mine), out);
    Consumer<List<Code>> all =
        code -> {
          Name n = scope.names.fresh("item");
          scope.add(n, Type.I64);
          List<Code> next = new ArrayList<>();
          accs.append(item(mine.plus(Poly.of(n))), next);
          code.add(new Code.For(n, PrimType.I64, Expr.i64(1), Expr.i64(items), next));
        };
    kernels.attempt(all, out);
  }
}
