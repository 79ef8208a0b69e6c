package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ReductionOperator;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.spi.Option;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rewriting of one loop for {@link ReassociateReductionsPass}. */
final class ReductionReassociation {
  /**
   * The maximum number of accumulators of a reduction, so that the loop's values fit in registers.
   */
  static final Option ACCUMULATORS =
      Option.integer(
          "accumulators",
          4,
          "maximum number of accumulators of a reduction, so that the loop's values fit in"
              + " registers");

  /** The maximum number of statements that compute the operands of a reduction. */
  static final Option STATEMENTS =
      Option.integer(
          "statements",
          24,
          "maximum number of statements that compute the operands of a reduction");

  /** The maximum number of statements of the operators. */
  static final Option OPERATOR_STATEMENTS =
      Option.integer("operator-statements", 6, "maximum number of statements of the operators");

  /** The minimum trip count that justifies the setup. */
  static final Option SHORT_RANGE =
      Option.integer("short-range", 64, "minimum trip count that justifies the setup");

  /** The number of partial accumulators. */
  static final Option PARTS =
      Option.integer(
              "parts",
              4,
              "number of partial accumulators: enough to hide the latency of a float addition,"
                  + " few enough to keep the array's address in a register")
          .within(1, 64)
          .powerOfTwo();

  /**
   * The number of partial accumulators for strided reads with one accumulator, which keep more
   * reads in flight.
   */
  static final Option COLUMN_PARTS =
      Option.integer(
              "column-parts",
              8,
              "number of partial accumulators for strided reads with one accumulator, which keep"
                  + " more reads in flight")
          .within(1, 64)
          .powerOfTwo();

  /** The options of the pass. */
  static final List<Option> OPTIONS =
      List.of(ACCUMULATORS, STATEMENTS, OPERATOR_STATEMENTS, SHORT_RANGE, PARTS, COLUMN_PARTS);

  private final Code.For loop;
  private final List<ReductionOperator> operators;
  private final NameSource names;
  private final LoopContext around;

  private ReductionReassociation(
      Code.For loop, List<ReductionOperator> operators, LoopContext around) {
    this.loop = loop;
    this.operators = operators;
    this.names = around.names();
    this.around = around;
  }

  /** Returns the loop with partial accumulators; null if it stays. */
  static @Nullable List<Code> rewrite(Code.For loop, LoopContext around) {
    if (loop.order() instanceof Code.Order.Independent) {
      return unswitched(loop, around);
    }
    ReductionReassociation p = of(loop, around);
    if (p == null) {
      return null;
    }
    around.remark("gave the reduction over " + loop.index() + " partial accumulators");
    return List.of(new Code.If(isShort(loop, around), List.of(p.plain()), p.split()));
  }

  /** Returns the reduction that a loop performs; null if the loop is not a simple reduction. */
  private static @Nullable ReductionReassociation of(Code.For loop, LoopContext around) {
    if (!(loop.order() instanceof Code.Order.Sequential s) || s.operators().isEmpty()) {
      return null;
    }
    if (loop.invariant() > 0 || loop.type() != PrimType.I64) {
      return null;
    }
    int accumulators = s.operators().stream().mapToInt(o -> o.accumulators().size()).sum();
    int combining = s.operators().stream().mapToInt(o -> o.body().size()).sum();
    boolean simple =
        accumulators <= around.number(ACCUMULATORS)
            && !Columns.areRead(loop, around.independent(), around.machine())
            && s.independent() <= around.number(STATEMENTS)
            && combining <= around.number(OPERATOR_STATEMENTS)
            && isSimple(loop.body().subList(0, s.independent()))
            && loop.body().stream().noneMatch(MappedFunctions::isMapped)
            && s.operators().stream().allMatch(o -> isSimple(o.body()));
    return simple ? new ReductionReassociation(loop, s.operators(), around) : null;
  }

  private static boolean isSimple(List<Code> code) {
    return code.stream().allMatch(c -> c instanceof Code.Declare d && d.value() != null);
  }

  /**
   * Returns two versions of an independent loop around reductions of invariant length: the length
   * is tested once, and the version for short reductions is left to unroll-and-jam. Returns null if
   * there is no such test.
   */
  private static @Nullable List<Code> unswitched(Code.For outer, LoopContext around) {
    Set<Name> inside = new HashSet<>(Variables.assignedBy(outer.body()));
    for (Code.Variable v : Variables.declaredBy(outer.body())) {
      inside.add(v.name());
    }
    inside.add(outer.index());
    for (int i = 0; i < outer.body().size(); i++) {
      if (!(outer.body().get(i) instanceof Code.If test) || !isTest(test, around)) {
        continue;
      }
      Set<Name> length = Variables.in(List.of(new Code.Operand.Scalar(test.cond())));
      if (!Collections.disjoint(length, inside)) {
        continue;
      }
      List<List<Code>> bodies = new ArrayList<>();
      for (List<Code> version : List.of(test.then(), test.otherwise())) {
        List<Code> body = new ArrayList<>(outer.body().subList(0, i));
        body.addAll(version);
        body.addAll(outer.body().subList(i + 1, outer.body().size()));
        bodies.add(body);
      }
      Code.For plain =
          new Code.For(
              outer.index(),
              outer.type(),
              outer.from(),
              outer.to(),
              outer.range(),
              Math.min(outer.invariant(), i),
              outer.order(),
              bodies.get(0));
      // The reductions of this version already fill the registers, so that unroll-and-jam does not
      // apply.
      Code.For split = outer.withBody(bodies.get(1));
      return List.of(new Code.If(test.cond(), List.of(plain), List.of(split)));
    }
    return null;
  }

  /** Tests whether a conditional tests the length of the loop in its first branch. */
  private static boolean isTest(Code.If test, LoopContext around) {
    return test.then().size() == 1
        && test.then().get(0) instanceof Code.For f
        && test.cond().equals(isShort(f, around));
  }

  private static Expr isShort(Code.For loop, LoopContext around) {
    return Expr.less(
        Expr.binary(BinOp.Kind.SUB, loop.to(), loop.from()), Expr.i64(around.number(SHORT_RANGE)));
  }

  /** Returns the loop with one accumulator, which this pass does not rewrite again. */
  private Code.For plain() {
    Code.Order order = new Code.Order.Sequential(loop.independent(), List.of());
    return new Code.For(
        loop.index(), loop.type(), loop.from(), loop.to(), loop.range(), 0, order, loop.body());
  }

  /**
   * Returns a loop over contiguous parts of the range, followed by a loop over the remaining
   * elements.
   */
  private List<Code> split() {
    int accumulators = operators.stream().mapToInt(o -> o.accumulators().size()).sum();
    int count = around.number(accumulators == 1 && readsColumn() ? COLUMN_PARTS : PARTS);
    int shift = Integer.numberOfTrailingZeros(count);
    Name start = names.fresh("start");
    Name length = names.fresh("length");
    Name j = names.fresh("j");
    List<Code> out = new ArrayList<>();
    out.add(new Code.Declare(start, PrimType.I64, loop.from()));
    Expr all = Expr.binary(BinOp.Kind.SUB, loop.to(), Expr.i64(start));
    out.add(
        new Code.Declare(length, PrimType.I64, Expr.binary(BinOp.Kind.ASHR, all, Expr.i64(shift))));
    List<Map<Name, Poly>> parts = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      parts.add(k == 0 ? new HashMap<>() : started(out));
    }
    List<Code> body = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      Map<Name, Poly> copy = new HashMap<>(parts.get(k));
      Poly at = Poly.of(start).plus(Poly.of(length).times(k)).plus(Poly.of(j));
      copy.put(loop.index(), at);
      body.add(new Code.Scope(CodeCopies.sideBySide(loop.body(), List.of(copy))));
    }
    out.add(loop.within(j, Expr.i64(0), Expr.i64(length), body));
    Expr rest = new Expr.Index(Poly.of(start).plus(Poly.of(length).times(count)));
    List<Code> one = CodeCopies.sideBySide(loop.body(), List.of(parts.getLast()));
    out.add(loop.within(loop.index(), rest, loop.to(), one));
    for (Map<Name, Poly> part : parts.subList(1, count)) {
      for (ReductionOperator o : operators) {
        out.add(combined(o, part));
      }
    }
    return List.of(new Code.Scope(out));
  }

  /** Tests whether consecutive iterations load elements that are not adjacent. */
  private boolean readsColumn() {
    for (Code c : loop.body()) {
      if (!(c instanceof Code.Declare d && d.value() instanceof Expr.Load l)) {
        continue;
      }
      Poly stride = l.index().divide(loop.index()).quotient();
      if (!stride.isZero() && !stride.equals(Poly.ONE)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Declares accumulators of another part, initialised with neutral elements; returns them by
   * original name.
   */
  private Map<Name, Poly> started(List<Code> out) {
    Map<Name, Poly> names = new HashMap<>();
    for (ReductionOperator o : operators) {
      for (int a = 0; a < o.accumulators().size(); a++) {
        Code.Variable v = o.accumulators().get(a);
        Name own = this.names.fresh(v.name());
        out.add(new Code.Declare(own, v.type(), o.neutral().get(a)));
        names.put(v.name(), Poly.of(own));
      }
    }
    return names;
  }

  /** Returns code that combines the accumulators with those of another part. */
  private static Code combined(ReductionOperator o, Map<Name, Poly> part) {
    List<Code> out = new ArrayList<>();
    for (int a = 0; a < o.accumulators().size(); a++) {
      Code.Variable v = o.accumulators().get(a);
      Name other = CodeCopies.name(v.name(), part);
      out.add(new Code.Declare(o.left().get(a), v.type(), new Expr.Var(v.name(), v.type())));
      out.add(new Code.Declare(o.right().get(a), v.type(), new Expr.Var(other, v.type())));
    }
    out.addAll(o.body());
    for (int a = 0; a < o.accumulators().size(); a++) {
      out.add(new Code.Assign(o.accumulators().get(a).name(), o.results().get(a)));
    }
    return new Code.Scope(out);
  }
}
