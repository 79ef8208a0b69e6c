package futharkc.core.codegen.lower;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Runs several iterations of a loop side by side, if they are independent and each has an inner
 * loop that carries scalars: such a chain waits for its own results, and several of them fill that
 * time; what they compute in common is computed once. Loops with divisions or long functions of
 * floats stay: they wait for the units that compute these. So do those with conditionals that
 * differ and do more than choose among values ({@link Choices}).
 */
final class Interleaving {
  /** How many iterations run side by side. */
  private static final int WIDTH = 4;

  /** The most statements of an iteration. */
  private static final int LARGEST = 320;

  /** The most statements of an inner loop: what they hold has to fit in registers. */
  private static final int LARGEST_INNER = 48;

  private final Predicate<Name> isPrivate;

  /** What an iteration declares, each with the number of inner loops around it. */
  private final Map<Name, Integer> declared = new HashMap<>();

  /** The names whose values differ between iterations. */
  private final Set<Name> varying = new HashSet<>();

  /** Whether the code is run in the order of iterations, and may carry from one to the next. */
  private boolean ordered;

  private boolean carries;
  private int statements;

  private Interleaving(Predicate<Name> isPrivate) {
    this.isPrivate = isPrivate;
  }

  /**
   * Writes a loop whose iterations are independent of each other.
   *
   * @param isPrivate whether a block is for one iteration at a time
   */
  static void write(Code.For loop, Predicate<Name> isPrivate, NameSource names, List<Code> out) {
    write(loop, loop.body().size(), isPrivate, names, out);
  }

  /**
   * Writes a loop that says nothing of its iterations: they are independent where they carry no
   * scalar, and store, outside of inner loops, to blocks that nothing else in the loop uses.
   *
   * @param isSame whether two block variables may stand for the same block
   */
  static void writeSequential(
      Code.For loop, BiPredicate<Name, Name> isSame, NameSource names, List<Code> out) {
    Set<Name> loaded = new HashSet<>();
    List<Name> stored = new ArrayList<>();
    boolean fits = blocks(loop.body(), false, loaded, stored);
    for (int i = 0; i < stored.size(); i++) {
      Name block = stored.get(i);
      fits &= loaded.stream().noneMatch(n -> isSame.test(n, block));
      fits &= stored.subList(i + 1, stored.size()).stream().noneMatch(n -> isSame.test(n, block));
    }
    if (fits) write(loop, n -> false, names, out);
    else out.add(loop);
  }

  /** Adds the blocks of loads, and those of each store; returns false for stores in inner loops. */
  private static boolean blocks(
      List<Code> code, boolean inLoop, Set<Name> loaded, List<Name> stored) {
    for (Code c : code) {
      boolean fits =
          switch (c) {
            case Code.Declare d -> d.value() == null || loads(d.value(), loaded);
            case Code.Assign a -> loads(a.value(), loaded);
            case Code.Store s -> !inLoop && stored.add(s.block()) && loads(s.value(), loaded);
            case Code.If i -> {
              List<Name> either = new ArrayList<>();
              boolean both =
                  blocks(i.then(), inLoop, loaded, either)
                      && blocks(i.otherwise(), inLoop, loaded, either);
              // A copy of a conditional is all of it: its stores stay in order.
              stored.addAll(new LinkedHashSet<>(either));
              yield both && loads(i.cond(), loaded);
            }
            case Code.Scope s -> blocks(s.body(), inLoop, loaded, stored);
            case Code.For f -> blocks(f.body(), true, loaded, stored);
            default -> false;
          };
      if (!fits) return false;
    }
    return true;
  }

  private static boolean loads(Expr e, Set<Name> loaded) {
    for (Code.Variable v :
        Variables.usedBy(List.of(), List.of(new Code.Operand.Scalar(e)), Set.of())) {
      if (v.isBlock()) loaded.add(v.name());
    }
    return true;
  }

  /**
   * Writes a loop whose iterations have to end in order.
   *
   * @param independent how many statements, at the start of the body, do not depend on other
   *     iterations
   * @param isPrivate whether a block is for one iteration at a time
   */
  static void write(
      Code.For loop, int independent, Predicate<Name> isPrivate, NameSource names, List<Code> out) {
    if (loop.type() != PrimType.I64 || !hasLoops(loop.body())) {
      out.add(loop);
      return;
    }
    Interleaving x = new Interleaving(isPrivate);
    x.declared.put(loop.index(), 0);
    List<Code> body = Choices.withoutBranchesInLoops(loop.body().subList(0, independent), names);
    List<Code> inOrder = loop.body().subList(independent, loop.body().size());
    x.varying.add(loop.index());
    x.varying.addAll(Variables.assignedBy(inOrder));
    for (Code.Variable v : Variables.declaredBy(inOrder)) x.varying.add(v.name());
    for (int known = 0; known < x.varying.size(); ) {
      known = x.varying.size();
      x.vary(body, false);
    }
    if (!x.fits(body, 0) || !x.carries || !x.fitsInOrder(inOrder) || x.statements > LARGEST) {
      out.add(loop);
      return;
    }
    Poly from = loop.from().poly();
    Poly to = loop.to().poly();
    if (from == null || to == null) {
      out.add(loop);
      return;
    }
    Name groups = names.fresh("groups");
    Name group = names.fresh("group");
    Expr quarter = Expr.binary(BinOp.Kind.ASHR, new Expr.Index(to.minus(from)), Expr.i64(2));
    out.add(
        new Code.Declare(groups, PrimType.I64, Expr.binary(BinOp.Kind.SMAX, Expr.i64(0), quarter)));
    x.declared.remove(loop.index());
    List<Map<Name, Poly>> copies = new ArrayList<>();
    for (int k = 0; k < WIDTH; k++) {
      Map<Name, Poly> copy = new HashMap<>();
      for (Name n : x.varying) {
        if (x.declared.containsKey(n)) copy.put(n, Poly.of(k == 0 ? n : names.fresh(n)));
      }
      copy.put(loop.index(), from.plus(Poly.of(group).times(WIDTH)).plus(Poly.of(k)));
      copies.add(copy);
    }
    List<Code> several = IterationCopies.sideBySide(body, copies);
    for (Map<Name, Poly> copy : copies) {
      several.addAll(IterationCopies.sideBySide(inOrder, List.of(copy)));
    }
    out.add(new Code.For(group, PrimType.I64, Expr.i64(0), Expr.i64(groups), several));
    List<Map<Name, Poly>> last = List.of(IterationCopies.fresh(x.declared.keySet(), names));
    List<Code> one = IterationCopies.sideBySide(body, last);
    one.addAll(IterationCopies.sideBySide(inOrder, last));
    Expr rest = new Expr.Index(from.plus(Poly.of(groups).times(WIDTH)));
    out.add(new Code.For(loop.index(), PrimType.I64, rest, loop.to(), one));
  }

  // What differs

  /** Adds the names whose values differ between iterations, as far as they follow from others. */
  private void vary(List<Code> code, boolean differently) {
    for (Code c : code) {
      switch (c) {
        case Code.Declare d -> {
          if (differently || d.value() != null && varies(d.value())) varying.add(d.name());
        }
        case Code.Assign a -> {
          if (differently || varies(a.value())) varying.add(a.name());
        }
        case Code.If i -> {
          boolean differ = differently || varies(i.cond());
          vary(i.then(), differ);
          vary(i.otherwise(), differ);
        }
        case Code.For f -> vary(f.body(), differently);
        case Code.Scope s -> vary(s.body(), differently);
        default -> {}
      }
    }
  }

  private boolean varies(Expr e) {
    return !Collections.disjoint(varying, Variables.in(List.of(new Code.Operand.Scalar(e))));
  }

  // What can be interleaved

  private boolean fitsInOrder(List<Code> code) {
    ordered = true;
    return !hasLoops(code) && fits(code, 0);
  }

  private boolean fits(List<Code> code, int loops) {
    boolean inLoop = loops > 0;
    for (Code c : code) {
      statements++;
      boolean ok =
          switch (c) {
            case Code.Declare d -> {
              declared.put(d.name(), loops);
              yield d.value() == null || fits(d.value(), inLoop);
            }
            case Code.Assign a -> {
              Integer outside = declared.get(a.name());
              carries |= outside != null && outside < loops;
              yield (outside != null || ordered) && fits(a.value(), inLoop);
            }
            case Code.Store s -> !isPrivate.test(s.block()) && fits(s.value(), inLoop);
            case Code.Scope s -> fits(s.body(), loops);
            case Code.If i ->
                (!inLoop || IterationCopies.isCommon(i, varying))
                    && !hasLoops(i.then())
                    && !hasLoops(i.otherwise())
                    && fits(i.cond(), inLoop)
                    && fits(i.then(), loops)
                    && fits(i.otherwise(), loops);
            case Code.For f ->
                isFixed(f.from())
                    && isFixed(f.to())
                    && fits(f.body(), loops + 1)
                    && withoutLoops(f.body()) <= LARGEST_INNER;
            default -> false;
          };
      if (!ok) return false;
    }
    return true;
  }

  /** How many statements code has outside of loops in it. */
  private static int withoutLoops(List<Code> code) {
    int count = 0;
    for (Code c : code) {
      count +=
          switch (c) {
            case Code.For f -> 0;
            case Code.Scope s -> withoutLoops(s.body());
            case Code.If i -> 1 + withoutLoops(i.then()) + withoutLoops(i.otherwise());
            default -> 1;
          };
    }
    return count;
  }

  private static boolean hasLoops(List<Code> code) {
    return code.stream()
        .anyMatch(c -> c instanceof Code.For || c instanceof Code.Scope s && hasLoops(s.body()));
  }

  /** Whether a bound is the same in all iterations, so far. */
  private boolean isFixed(Expr e) {
    return switch (e) {
      case Expr.Const c -> true;
      case Expr.Var v -> !declared.containsKey(v.name());
      case Expr.Index i -> Collections.disjoint(i.poly().names(), declared.keySet());
      default -> false;
    };
  }

  private boolean fits(Expr e, boolean inLoop) {
    return switch (e) {
      case Expr.Const c -> true;
      case Expr.Var v -> true;
      case Expr.Index i -> true;
      case Expr.Binary b ->
          !(inLoop && isSlow(b.op().kind())) && fits(b.left(), inLoop) && fits(b.right(), inLoop);
      case Expr.Unary u -> fits(u.operand(), inLoop);
      case Expr.Compare c -> fits(c.left(), inLoop) && fits(c.right(), inLoop);
      case Expr.Convert c -> fits(c.operand(), inLoop);
      case Expr.Apply a ->
          (!inLoop || isShort(a.fun())) && a.args().stream().allMatch(x -> fits(x, inLoop));
      case Expr.Load l -> true;
      case Expr.Tuning t -> false;
    };
  }

  private static boolean isShort(PrimFun fun) {
    return switch (fun.kind()) {
      case TO_BITS, FROM_BITS -> true;
      // A few multiplications, where the double functions are many.
      case EXP, LOG, SIN, COS -> fun.type() == PrimType.F32;
      default -> false;
    };
  }

  private static boolean isSlow(BinOp.Kind kind) {
    return kind == BinOp.Kind.FDIV || kind == BinOp.Kind.FMOD || kind == BinOp.Kind.FPOW;
  }
}
