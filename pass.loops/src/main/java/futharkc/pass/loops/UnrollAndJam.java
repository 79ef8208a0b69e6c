package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeSize;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.spi.Option;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rewriting of one loop for {@link UnrollAndJamPass}. */
final class UnrollAndJam {
  /** The number of interleaved iterations, which hide the latency of float additions. */
  static final Option ITERATIONS =
      Option.integer(
              "iterations",
              4,
              "number of interleaved iterations, which hide the latency of float additions")
          .within(1, 64)
          .powerOfTwo();

  /** The maximum number of statements of an iteration. */
  static final Option STATEMENTS =
      Option.integer(
          "statements",
          320,
          "maximum number of statements of an iteration; the interleaved iterations must stay"
              + " far below HotSpot's compilation limit");

  /** The maximum number of statements of an inner loop. */
  static final Option INNER_STATEMENTS =
      Option.integer(
          "inner-statements",
          48,
          "maximum number of statements of an inner loop; the values of its interleaved"
              + " iterations must nearly fit in registers");

  /** The options of the pass. */
  static final List<Option> OPTIONS = List.of(ITERATIONS, STATEMENTS, INNER_STATEMENTS);

  private final LoopContext around;
  private final Predicate<Name> isPrivate;
  private final int width;

  /** The variables that an iteration declares, with the number of inner loops around each. */
  private final Map<Name, Integer> declared = new HashMap<>();

  /** The variables whose values differ between iterations. */
  private final Set<Name> varying = new HashSet<>();

  /**
   * True for code that runs in iteration order and may carry values from one iteration to the next.
   */
  private boolean ordered;

  /** True if conditionals in loops become bit operations. */
  private final boolean converting;

  private boolean carries;
  private int statements;

  private UnrollAndJam(LoopContext around, Predicate<Name> isPrivate, boolean converting) {
    this.around = around;
    this.converting = converting;
    this.isPrivate = isPrivate;
    this.width = around.number(ITERATIONS);
  }

  /**
   * Returns the rewritten loop; null if the loop does not fit.
   *
   * @param converting true if conditionals in loops become bit operations
   */
  static @Nullable List<Code> rewrite(Code.For loop, LoopContext around, boolean converting) {
    if (!loop.order().equals(Code.Order.UNKNOWN)) {
      return new UnrollAndJam(around, around::isPrivate, converting)
          .rewrite(loop, loop.independent());
    }
    UnrollAndJam jam = new UnrollAndJam(around, n -> false, converting);
    return isProvedIndependent(loop, around)
        ? jam.rewrite(loop, loop.body().size())
        : jam.firstParts(loop);
  }

  /**
   * Interleaves the independent statements at the start of iterations; returns null if they contain
   * no loop.
   */
  private @Nullable List<Code> firstParts(Code.For loop) {
    if (loop.type() != PrimType.I32 && loop.type() != PrimType.I64) {
      return null;
    }
    int independent = IndependentPrefix.of(loop.body(), around);
    if (!hasLoops(loop.body().subList(0, independent))) {
      return null;
    }
    if (loop.type() == PrimType.I64) {
      return rewrite(loop, independent);
    }
    // Polynomials need a 64-bit index and 64-bit bounds.
    NameSource names = around.names();
    Name index = names.fresh(loop.index());
    Name to = names.fresh("to");
    Expr start = IntegerPromotion.convert(loop.from(), PrimType.I64);
    if (loop.from() instanceof Expr.Const c) {
      start = Expr.i64(c.value().asLong());
    }
    Expr end = IntegerPromotion.convert(loop.to(), PrimType.I64);
    List<Code> out = new ArrayList<>();
    if (start.poly() == null) {
      Name from = names.fresh("from");
      out.add(new Code.Declare(from, PrimType.I64, start));
      start = Expr.i64(from);
    }
    out.add(new Code.Declare(to, PrimType.I64, end));
    List<Code> body = new ArrayList<>();
    Expr narrow = IntegerPromotion.convert(new Expr.Var(index, PrimType.I64), PrimType.I32);
    body.add(new Code.Declare(loop.index(), PrimType.I32, narrow));
    body.addAll(widened(loop.index(), index).statements(loop.body()));
    Code.For wide = new Code.For(index, PrimType.I64, start, Expr.i64(to), body);
    List<Code> now = rewrite(wide, independent + 1);
    if (now == null) {
      return null;
    }
    out.addAll(now);
    return out;
  }

  /** Returns a mapper that replaces the sign-extended narrow index by the 64-bit index. */
  private static CodeMapper widened(Name narrow, Name index) {
    ConvOp extension = new ConvOp(ConvOp.Kind.SEXT, PrimType.I32, PrimType.I64);
    Expr extended = new Expr.Convert(extension, new Expr.Var(narrow, PrimType.I32));
    return new CodeMapper() {
      @Override
      public Expr expr(Expr e) {
        return e.equals(extended) ? Expr.i64(index) : super.expr(e);
      }
    };
  }

  /**
   * Tests whether iterations are independent: they carry no scalar, and store outside of inner
   * loops, to blocks that nothing else in the loop uses.
   */
  private static boolean isProvedIndependent(Code.For loop, LoopContext around) {
    Set<Name> loaded = new HashSet<>();
    List<Name> stored = new ArrayList<>();
    if (!blocks(loop.body(), false, loaded, stored)) {
      return false;
    }
    for (int i = 0; i < stored.size(); i++) {
      Name block = stored.get(i);
      if (loaded.stream().anyMatch(n -> around.mayAlias(n, block))) {
        return false;
      }
      List<Name> later = stored.subList(i + 1, stored.size());
      if (later.stream().anyMatch(n -> around.mayAlias(n, block))) {
        return false;
      }
    }
    return true;
  }

  /** Collects the blocks of loads and of each store; returns false if an inner loop stores. */
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
              // A conditional is copied as a whole, so that its stores stay in order.
              stored.addAll(new LinkedHashSet<>(either));
              yield both && loads(i.cond(), loaded);
            }
            case Code.Scope s -> blocks(s.body(), inLoop, loaded, stored);
            case Code.For f -> blocks(f.body(), true, loaded, stored);
            default -> false;
          };
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  private static boolean loads(Expr e, Set<Name> loaded) {
    for (Code.Variable v :
        Variables.usedBy(List.of(), List.of(new Code.Operand.Scalar(e)), Set.of())) {
      if (v.isBlock()) {
        loaded.add(v.name());
      }
    }
    return true;
  }

  /**
   * Rewrites a loop whose first {@code independent} statements do not depend on other iterations.
   */
  private @Nullable List<Code> rewrite(Code.For loop, int independent) {
    if (!hasLoops(loop.body())) {
      return null;
    }
    NameSource names = around.names();
    declared.put(loop.index(), 0);
    List<Code> body = loop.body().subList(0, independent);
    if (converting) {
      body = IfConversion.withoutBranchesInLoops(body, names, around.machine());
    }
    List<Code> inOrder = loop.body().subList(independent, loop.body().size());
    varying.add(loop.index());
    varying.addAll(Variables.assignedBy(inOrder));
    for (Code.Variable v : Variables.declaredBy(inOrder)) {
      varying.add(v.name());
    }
    for (int known = 0; known < varying.size(); ) {
      known = varying.size();
      vary(body, false);
    }
    if (!fits(body, 0)
        || !carries
        || !fitsInOrder(inOrder)
        || statements > around.number(STATEMENTS)) {
      return null;
    }
    boolean inTurn = hasLoopsWithin(inOrder);
    if (inTurn && !around.isOnOneThread()) {
      return null;
    }
    Poly from = loop.from().poly();
    Poly to = loop.to().poly();
    if (from == null || to == null) {
      return null;
    }
    List<Code> out = new ArrayList<>();
    Name groups = names.fresh("groups");
    Name group = names.fresh("group");
    Expr quarter =
        Expr.binary(
            BinOp.Kind.ASHR,
            new Expr.Index(to.minus(from)),
            Expr.i64(Integer.numberOfTrailingZeros(width)));
    out.add(
        new Code.Declare(groups, PrimType.I64, Expr.binary(BinOp.Kind.SMAX, Expr.i64(0), quarter)));
    declared.remove(loop.index());
    List<Map<Name, Poly>> copies = new ArrayList<>();
    for (int k = 0; k < width; k++) {
      Map<Name, Poly> copy = new HashMap<>();
      for (Name n : varying) {
        if (declared.containsKey(n)) {
          copy.put(n, Poly.of(k == 0 ? n : names.fresh(n)));
        }
      }
      copy.put(loop.index(), from.plus(Poly.of(group).times(width)).plus(Poly.of(k)));
      copies.add(copy);
    }
    List<Code> several = CodeCopies.sideBySide(body, copies);
    if (inTurn) {
      Poly first = from.plus(Poly.of(group).times(width));
      several.addAll(turned(loop.index(), first, body, inOrder, copies, out));
    } else {
      for (Map<Name, Poly> copy : copies) {
        several.addAll(CodeCopies.sideBySide(inOrder, List.of(copy)));
      }
    }
    out.add(loop.within(group, Expr.i64(0), Expr.i64(groups), several));
    List<Map<Name, Poly>> last = List.of(CodeCopies.fresh(declared.keySet(), names));
    List<Code> one = CodeCopies.sideBySide(body, last);
    one.addAll(CodeCopies.sideBySide(inOrder, last));
    Expr rest = new Expr.Index(from.plus(Poly.of(groups).times(width)));
    out.add(loop.within(loop.index(), rest, loop.to(), one));
    around.remark("interleaved " + width + " iterations of the loop over " + loop.index());
    return out;
  }

  /**
   * Returns the ordered statements once, in a loop over the copies, because several copies would
   * make the code large. The scalars that they need of each copy are in short arrays.
   */
  private List<Code> turned(
      Name index,
      Poly first,
      List<Code> before,
      List<Code> inOrder,
      List<Map<Name, Poly>> copies,
      List<Code> out) {
    NameSource names = around.names();
    Name k = names.fresh(index);
    Map<Name, Poly> turn = new HashMap<>();
    turn.put(index, first.plus(Poly.of(k)));
    Set<Name> used = new HashSet<>();
    for (Code.Variable v : Variables.usedBy(inOrder, Set.of())) {
      used.add(v.name());
    }
    List<Code> code = new ArrayList<>();
    List<Code> body = new ArrayList<>();
    for (Code.Variable v : Variables.declaredBy(before)) {
      if (!used.contains(v.name()) || !copies.get(0).containsKey(v.name())) {
        continue;
      }
      Name block = around.expand(v.type(), Expr.i64(width), out);
      for (int c = 0; c < copies.size(); c++) {
        Expr value = new Expr.Var(CodeCopies.name(v.name(), copies.get(c)), v.type());
        code.add(new Code.Store(block, v.type(), Poly.of(c), value));
      }
      Name now = names.fresh(v.name());
      turn.put(v.name(), Poly.of(now));
      body.add(new Code.Declare(now, v.type(), new Expr.Load(block, v.type(), Poly.of(k))));
    }
    body.addAll(CodeCopies.sideBySide(inOrder, List.of(turn)));
    code.add(new Code.For(k, PrimType.I64, Expr.i64(0), Expr.i64(width), body));
    return code;
  }

  private static boolean hasLoopsWithin(List<Code> code) {
    return code.stream()
        .anyMatch(
            c ->
                c instanceof Code.For
                    || CodeSize.inside(c).stream().anyMatch(UnrollAndJam::hasLoopsWithin));
  }

  // Variance

  /**
   * Adds the variables whose values differ between iterations.
   *
   * @param differently true if the code runs under a condition that differs between iterations
   */
  private void vary(List<Code> code, boolean differently) {
    for (Code c : code) {
      switch (c) {
        case Code.Declare d -> {
          if (differently || d.value() != null && varies(d.value())) {
            varying.add(d.name());
          }
        }
        case Code.Assign a -> {
          if (differently || varies(a.value())) {
            varying.add(a.name());
          }
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

  // Applicability

  /**
   * Tests whether ordered code can be copied. It may have no loops of its own, which would dominate
   * the time if every iteration ran them.
   */
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
              carries |= !ordered && outside != null && outside < loops;
              yield (outside != null || ordered) && fits(a.value(), inLoop);
            }
            case Code.Store s -> !isPrivate.test(s.block()) && fits(s.value(), inLoop);
            case Code.Scope s -> fits(s.body(), loops);
            case Code.If i ->
                (ordered || !inLoop || CodeCopies.isCommon(i, varying))
                    && (ordered || !hasLoops(i.then()) && !hasLoops(i.otherwise()))
                    && fits(i.cond(), inLoop)
                    && fits(i.then(), loops)
                    && fits(i.otherwise(), loops);
            case Code.For f ->
                (ordered || isFixed(f.from()) && isFixed(f.to()))
                    && fits(f.body(), loops + 1)
                    && withoutLoops(f.body()) <= around.number(INNER_STATEMENTS);
            default -> false;
          };
      if (!ok) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number of statements outside of loops. */
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

  /** Tests whether a bound is equal in all iterations, as far as the analysis has proceeded. */
  private boolean isFixed(Expr e) {
    return switch (e) {
      case Expr.Const c -> true;
      case Expr.Var v -> !declared.containsKey(v.name());
      case Expr.Index i -> !i.poly().mentions(declared.keySet());
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
      case Expr.Capacity c -> true;
      case Expr.Tuning t -> true;
    };
  }

  private static boolean isShort(PrimFun fun) {
    return switch (fun.kind()) {
      case TO_BITS, FROM_BITS -> true;
      // The functions on f32 are a few multiplications; those on f64 are long.
      case EXP, LOG, SIN, COS -> fun.type() == PrimType.F32;
      default -> false;
    };
  }

  private static boolean isSlow(BinOp.Kind kind) {
    return kind == BinOp.Kind.FDIV || kind == BinOp.Kind.FMOD || kind == BinOp.Kind.FPOW;
  }
}
