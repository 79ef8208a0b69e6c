package futharkc.pass.differentiation;

import static futharkc.core.ir.build.Arithmetic.compare;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Minima and maxima with the index of the selected element. The minimum or maximum of many scalars
 * is one of these scalars, and its derivative is the derivative of that scalar:
 *
 * <pre>
 * y = max x[0], .., x[n-1] = x[k]        y' = x'[k]        x_[k] += y_
 * </pre>
 *
 * <p>The operator works on pairs of value and index. Of equal values, the one with the least index
 * is selected; a number precedes a NaN. The neutral element has the greatest index, so that an
 * equal value takes precedence. The old value of a histogram's bin has the index -1.
 */
final class Extrema {
  /** The index of a value that is no element. */
  static final SubExp NOWHERE = SubExp.i64(Long.MAX_VALUE);

  /** The index of the old value of a histogram's bin. */
  static final SubExp OLD = SubExp.i64(-1);

  private Extrema() {}

  /** Returns the operator on pairs of value and index, which is associative and commutative. */
  static Lambda operator(Emitter around, BinOp op) {
    Type value = Type.prim(op.type());
    return around.lambda(
        "m",
        List.of(value, Type.I64, value, Type.I64),
        (e, x) -> {
          SubExp best = e.let("best", value, new BasicOp.BinOpExp(op, x.get(0), x.get(2)));
          return List.of(best, chosen(e, op, x));
        });
  }

  /**
   * Returns the index of the selected value; for equal values, the least index. The most likely
   * case comes first.
   */
  private static SubExp chosen(Emitter e, BinOp op, List<SubExp> x) {
    SubExp a = x.get(0);
    SubExp b = x.get(2);
    PrimType t = op.type();
    SubExp better =
        switch (op.kind()) {
          case SMAX -> compare(e, CmpOp.Kind.SLT, t, a, b);
          case UMAX -> compare(e, CmpOp.Kind.ULT, t, a, b);
          case FMAX -> compare(e, CmpOp.Kind.FLT, t, a, b);
          case SMIN -> compare(e, CmpOp.Kind.SLT, t, b, a);
          case UMIN -> compare(e, CmpOp.Kind.ULT, t, b, a);
          case FMIN -> compare(e, CmpOp.Kind.FLT, t, b, a);
          default -> throw new IllegalArgumentException("not a minimum or maximum: " + op);
        };
    return choice(
        e,
        better,
        in -> x.get(3),
        in ->
            choice(
                in,
                compare(in, CmpOp.Kind.EQ, t, a, b),
                same -> least(same, x),
                other -> t.isFloat() ? number(other, t, x) : x.get(1)));
  }

  /** Returns the index of the selected value if a value is NaN. */
  private static SubExp number(Emitter e, PrimType t, List<SubExp> x) {
    return choice(
        e,
        compare(e, CmpOp.Kind.EQ, t, x.get(0), x.get(0)),
        first -> x.get(1),
        none ->
            choice(
                none,
                compare(none, CmpOp.Kind.EQ, t, x.get(2), x.get(2)),
                second -> x.get(3),
                neither -> least(neither, x)));
  }

  private static SubExp least(Emitter e, List<SubExp> x) {
    return Arithmetic.binary(e, BinOp.Kind.SMIN, PrimType.I64, x.get(1), x.get(3));
  }

  private static SubExp choice(
      Emitter e, SubExp cond, Function<Emitter, SubExp> yes, Function<Emitter, SubExp> no) {
    return e.conditional(
            "chosen",
            List.of(Type.I64),
            cond,
            in -> List.of(yes.apply(in)),
            in -> List.of(no.apply(in)))
        .get(0);
  }

  // Selections

  /**
   * Returns the operator on values and indices for an operator on scalars that always returns one
   * of its operands. A tuple with the index {@link #NOWHERE} is never selected.
   *
   * @return null if the operator may return another value
   */
  static @Nullable Lambda selection(Emitter around, Lambda op) {
    if (op.results().stream().anyMatch(t -> !(t instanceof Type.Prim))) {
      return null;
    }
    int d = op.results().size();
    Lambda own = Folds.copy(around, op);
    List<Type> side = new ArrayList<>(op.results());
    side.add(Type.I64);
    List<Type> types = new ArrayList<>(side);
    types.addAll(side);
    List<SubExp> operands = own.params().stream().map(p -> SubExp.of(p.name())).toList();
    boolean[] fits = {true};
    Lambda l =
        around.lambda(
            "s",
            types,
            (e, x) -> {
              List<SubExp> left = x.subList(0, d + 1);
              List<SubExp> right = x.subList(d + 1, 2 * d + 2);
              Map<Name, SubExp> args = new HashMap<>();
              for (int k = 0; k < d; k++) {
                args.put(own.params().get(k).name(), left.get(k));
                args.put(own.params().get(d + k).name(), right.get(k));
              }
              Selecting with = new Selecting(operands, left.get(d), right.get(d), e);
              Body b = with.indexed(own.body());
              if (b == null) {
                fits[0] = false;
                return left;
              }
              Body body = new Substitution(args).body(b);
              SubExp none = compare(e, CmpOp.Kind.EQ, PrimType.I64, left.get(d), NOWHERE);
              SubExp other = compare(e, CmpOp.Kind.EQ, PrimType.I64, right.get(d), NOWHERE);
              return e.conditional(
                  "chosen",
                  side,
                  none,
                  yes -> right,
                  no ->
                      no.conditional(
                          "chosen",
                          side,
                          other,
                          yes -> left,
                          both -> {
                            both.addAll(body.stms());
                            both.scope().addAll(body);
                            return body.results();
                          }));
            });
    return fits[0] ? l : null;
  }

  /** Adds the index of the selected operand to the results of nested branches. */
  private record Selecting(List<SubExp> operands, SubExp left, SubExp right, Emitter e) {
    @Nullable Body indexed(Body b) {
      int d = operands.size() / 2;
      SubExp chosen = null;
      if (b.results().equals(operands.subList(0, d))) {
        chosen = left;
      } else if (b.results().equals(operands.subList(d, 2 * d))) {
        chosen = right;
      }
      List<SubExp> results = new ArrayList<>(b.results());
      if (chosen != null) {
        results.add(chosen);
        return new Body(b.stms(), results);
      }
      List<Stm> stms = new ArrayList<>(b.stms());
      for (int i = 0; i < stms.size(); i++) {
        Stm s = stms.get(i);
        if (!(s.exp() instanceof Exp.Match m)) {
          continue;
        }
        if (!b.results().equals(Emitter.operands(s.names()))) {
          continue;
        }
        List<Exp.Case> cases = new ArrayList<>();
        for (Exp.Case c : m.cases()) {
          Body inner = indexed(c.body());
          if (inner == null) {
            return null;
          }
          cases.add(new Exp.Case(c.pattern(), inner));
        }
        Body otherwise = indexed(m.otherwise());
        if (otherwise == null) {
          return null;
        }
        PatElem k = new PatElem(e.names().fresh("k"), Type.I64);
        e.scope().add(k.name(), k.type());
        List<PatElem> pat = new ArrayList<>(s.pat());
        pat.add(k);
        stms.set(i, new Stm(pat, s.aux(), new Exp.Match(m.scrutinees(), cases, otherwise)));
        results.add(SubExp.of(k.name()));
        return new Body(stms, results);
      }
      return null;
    }
  }

  /** Returns the element at an index, or another value of its type if the index is out of range. */
  static SubExp element(Emitter e, SubExp array, SubExp index, SubExp otherwise) {
    SubExp inside = Arithmetic.inRange(e, index, e.type(array).outerSize());
    return e.conditional(
            "at",
            List.of(e.type(array).row()),
            inside,
            in -> List.of(in.index(array, List.of(index))),
            in -> List.of(otherwise))
        .get(0);
  }
}
