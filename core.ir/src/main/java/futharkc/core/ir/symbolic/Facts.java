package futharkc.core.ir.symbolic;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Known facts about i64 variables at a statement. The facts come from the computations of
 * variables, from preceding checks, and from enclosing branches, loops and parallel operations.
 * Sums, products and exact quotients become values of variables. For example, after a check of
 * {@code (n - 1) % b == 0} and with {@code q = (n - 1) / b}, the value of {@code n} is {@code q*b +
 * 1}.
 */
public final class Facts {
  private final Bounds bounds;
  private final Map<Name, Exp> definitions;
  private final List<Quotient> quotients;
  private final Conditions conditions = new Conditions(this::definition, this::poly);

  /**
   * A rounded quotient {@code quotient = dividend / divisor}, or, if {@code quotient} is null, a
   * check that the remainder is zero.
   */
  private record Quotient(@Nullable Name quotient, Poly dividend, Poly divisor) {}

  private Facts(Bounds bounds, Map<Name, Exp> definitions, List<Quotient> quotients) {
    this.bounds = bounds;
    this.definitions = definitions;
    this.quotients = quotients;
  }

  /** Returns the facts at the beginning of a function's body. */
  public static Facts of(FunDef f) {
    Facts facts = new Facts(new Bounds(null), new HashMap<>(), new ArrayList<>());
    for (Param p : f.params()) {
      facts.sizes(p.type());
    }
    return facts;
  }

  /** Returns the facts as bounds of variables. */
  public Bounds bounds() {
    return bounds;
  }

  /**
   * Returns facts for code inside a statement. They inherit these facts; facts added to them do not
   * affect these.
   */
  public Facts inside() {
    return new Facts(new Bounds(bounds), definitions, new ArrayList<>(quotients));
  }

  /** Returns facts for subsequent code. They inherit these facts, to which no more may be added. */
  public Facts extended() {
    return new Facts(bounds.extended(), definitions, new ArrayList<>(quotients));
  }

  /** Returns an i64 operand as a polynomial over variables without known values. */
  public Poly poly(SubExp e) {
    return bounds.normal(Poly.of(e));
  }

  private @Nullable Exp definition(SubExp e) {
    return e instanceof SubExp.Var v ? definitions.get(v.name()) : null;
  }

  // Enclosing statements

  /** Returns the facts inside a branch. Branch numbers count the cases, then the default. */
  public Facts inBranch(Exp.Match m, int branch) {
    Facts in = inside();
    if (m.isConditional()) {
      in.conditions.add(m.scrutinees().get(0), branch == 0, in.bounds);
    } else if (branch < m.cases().size()) {
      List<@Nullable PrimValue> pattern = m.cases().get(branch).pattern();
      for (int k = 0; k < pattern.size(); k++) {
        PrimValue v = pattern.get(k);
        if (v == null || v.type() != PrimType.I64) {
          continue;
        }
        in.isZero(in.poly(m.scrutinees().get(k)).minus(Poly.of(v.asLong())));
      }
    }
    return in;
  }

  /** Returns the facts inside a loop. */
  public Facts inLoop(Exp.Loop l) {
    Facts in = inside();
    for (Exp.LoopParam p : l.params()) {
      in.sizes(p.param().type());
    }
    if (l.form() instanceof Exp.Form.For f && f.type() == PrimType.I64) {
      in.index(f.index(), f.bound());
    }
    return in;
  }

  /** Returns the facts at an index of a space. */
  public Facts at(SegSpace space) {
    Facts in = inside();
    for (SegSpace.Dim d : space.dims()) {
      in.index(d.index(), d.size());
    }
    return in;
  }

  private void index(Name i, SubExp bound) {
    Poly b = poly(bound);
    bounds.addIndex(i, b);
    bounds.addFact(b.minus(Poly.ONE));
  }

  private void sizes(Type t) {
    for (SubExp d : t.dims()) {
      if (d instanceof SubExp.Var v) {
        bounds.addNonNegative(v.name());
      }
    }
  }

  // Preceding statements

  /** Adds the facts that hold after a statement, for the rest of the same body. */
  public void passed(Stm s) {
    for (PatElem p : s.pat()) {
      sizes(p.type());
    }
    if (s.pat().size() == 1) {
      definitions.put(s.pat().get(0).name(), s.exp());
    }
    switch (s.exp()) {
      case BasicOp.Assert a -> holds(a.cond());
      case BasicOp.SubExpOp x when isI64(s) -> value(s, poly(x.value()));
      case BasicOp.BinOpExp x when isI64(s) -> binary(s, x);
      case BasicOp.ConvOpExp x when isI64(s) -> conversion(s.pat().get(0).name(), x.op());
      case BasicOp.Index x -> inRange(x.slice());
      case BasicOp.Update x when !x.safe() -> inRange(x.slice());
      case BasicOp _,
          Exp.Apply _,
          Exp.Match _,
          Exp.Loop _,
          Exp.WithAcc _,
          Soac _,
          SegExp _,
          HostOp _,
          MemOp _ -> {}
    }
  }

  private static boolean isI64(Stm s) {
    return s.pat().get(0).type().isPrim(PrimType.I64);
  }

  private void value(Stm s, Poly value) {
    bounds.addValue(s.pat().get(0).name(), value);
  }

  private void binary(Stm s, BasicOp.BinOpExp x) {
    Name name = s.pat().get(0).name();
    Poly result = Poly.of(name);
    Poly a = poly(x.left());
    Poly b = poly(x.right());
    switch (x.op().kind()) {
      case ADD -> value(s, a.plus(b));
      case SUB -> value(s, a.minus(b));
      case MUL -> value(s, a.times(b));
      case SMIN -> {
        for (long least = 1; least >= 0; least--) {
          Poly l = Poly.of(least);
          if (!bounds.provesAtMost(l, a) || !bounds.provesAtMost(l, b)) {
            continue;
          }
          bounds.addFact(result.minus(l));
          bounds.addNonNegative(name);
          break;
        }
        bounds.addFact(a.minus(result));
        bounds.addFact(b.minus(result));
      }
      case SMAX -> {
        if (bounds.provesNonNegative(a) || bounds.provesNonNegative(b)) {
          bounds.addNonNegative(name);
        }
        bounds.addFact(result.minus(a));
        bounds.addFact(result.minus(b));
      }
      case SDIV -> quotient(name, a, b);
      case SDIV_UP -> quotientUp(name, a, b);
      case SQUOT -> {
        if (bounds.provesNonNegative(a)) {
          quotient(name, a, b);
        }
      }
      case SMOD -> {
        if (bounds.provesAtMost(Poly.ONE, b)) {
          bounds.addIndex(name, b);
        }
      }
      case SREM -> {
        if (bounds.provesNonNegative(a) && bounds.provesAtMost(Poly.ONE, b)) {
          bounds.addIndex(name, b);
        }
      }
      default -> {}
    }
  }

  private void conversion(Name x, ConvOp op) {
    switch (op.kind()) {
      case ZEXT -> {
        if (op.from() != PrimType.I64) {
          bounds.addNonNegative(x);
        }
      }
      case BTOI -> bounds.addIndex(x, Poly.of(2));
      default -> {}
    }
  }

  private void inRange(Slice slice) {
    for (Slice.Dim d : slice.dims()) {
      if (d instanceof Slice.Fix f) {
        bounds.addFact(poly(f.index()));
      }
    }
  }

  // Quotients

  private void quotient(Name name, Poly a, Poly b) {
    if (!bounds.provesAtMost(Poly.ONE, b)) {
      return;
    }
    if (bounds.provesNonNegative(a)) {
      bounds.addNonNegative(name);
    }
    Quotient q = new Quotient(name, a, b);
    if (divides(b, a) || quotients.stream().anyMatch(r -> r.quotient == null && isOfSame(q, r))) {
      isZero(Poly.of(name).times(b).minus(a));
    } else {
      Poly rest = a.minus(Poly.of(name).times(b));
      bounds.addFact(rest);
      bounds.addFact(b.minus(Poly.ONE).minus(rest));
    }
    quotients.add(q);
  }

  private void quotientUp(Name name, Poly a, Poly b) {
    if (!bounds.provesAtMost(Poly.ONE, b)) {
      return;
    }
    if (bounds.provesNonNegative(a)) {
      bounds.addNonNegative(name);
    }
    Poly over = Poly.of(name).times(b).minus(a);
    bounds.addFact(over);
    bounds.addFact(b.minus(Poly.ONE).minus(over));
  }

  private boolean isOfSame(Quotient p, Quotient q) {
    return bounds.normal(p.dividend).equals(bounds.normal(q.dividend))
        && bounds.normal(p.divisor).equals(bounds.normal(q.divisor));
  }

  private static boolean divides(Poly b, Poly a) {
    return !b.isZero() && a.divide(b).remainder().isZero();
  }

  // Checks

  private void holds(SubExp cond) {
    conditions.add(cond, true, bounds);
    equalities(cond);
  }

  private void equalities(SubExp cond) {
    switch (definition(cond)) {
      case BasicOp.BinOpExp b when b.op().kind() == BinOp.Kind.LOG_AND -> {
        equalities(b.left());
        equalities(b.right());
      }
      case BasicOp.CmpOpExp c when c.op().equals(new CmpOp(CmpOp.Kind.EQ, PrimType.I64)) -> {
        if (c.right().isInt(0)) {
          noRemainder(c.left());
        }
        if (c.left().isInt(0)) {
          noRemainder(c.right());
        }
        isZero(poly(c.left()).minus(poly(c.right())));
      }
      case null -> {}
      case BasicOp _,
          Exp.Apply _,
          Exp.Match _,
          Exp.Loop _,
          Exp.WithAcc _,
          Soac _,
          SegExp _,
          HostOp _,
          MemOp _ -> {}
    }
  }

  private void noRemainder(SubExp e) {
    if (!(definition(e) instanceof BasicOp.BinOpExp x)
        || (x.op().kind() != BinOp.Kind.SMOD && x.op().kind() != BinOp.Kind.SREM)) {
      return;
    }
    Quotient none = new Quotient(null, poly(x.left()), poly(x.right()));
    for (Quotient q : List.copyOf(quotients)) {
      if (q.quotient != null && isOfSame(q, none)) {
        isZero(Poly.of(q.quotient).times(q.divisor).minus(q.dividend));
      }
    }
    quotients.add(none);
  }

  /**
   * Adds the equation {@code p = 0}: as the value of the last-named variable that it can be solved
   * for, or else as two inequalities.
   */
  private void isZero(Poly p) {
    Poly zero = bounds.normal(p);
    for (Name x : zero.variables().reversed()) {
      Poly c = zero.divide(x).quotient();
      Poly value = Poly.of(x).minus(zero.times(c));
      if (!c.magnitude().equals(Poly.ONE) || value.variables().contains(x)) {
        continue;
      }
      bounds.addValue(x, value);
      return;
    }
    bounds.addFact(zero);
    bounds.addFact(zero.times(-1));
  }
}
