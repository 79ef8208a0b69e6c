package futharkc.pass.differentiation;

import static futharkc.core.ir.build.Arithmetic.compare;
import static futharkc.core.ir.build.Arithmetic.times;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reverse mode of reductions.
 *
 * <pre>
 * y = reduce + a           a_[i] += y_
 * y = reduce max a         y = a[k]; a_[k] += y_
 * y = reduce op a          where op returns one of its operands: as for max
 * y = reduce * a           with p the product of the nonzero elements, and z the number of zeros:
 *                          a_[i] += y_ p / a[i] if z = 0;  y_ p if z = 1 and a[i] = 0;  else nothing
 * y = reduce op a          with l[i] = a[0] op .. op a[i-1] and r[i] = a[i+1] op .. op a[n-1]:
 *                          a_[i] += y_ times the derivative of l[i] op a[i] op r[i] by a[i]
 * </pre>
 *
 * <p>Paszke et al., Parallelism-preserving automatic differentiation for second-order array
 * languages, FHPC 2021, and Schenck et al., SC 2022, section 5.1. Two scans compute l and r, so the
 * general rule takes linear time and logarithmic depth. A product of integers uses the general
 * rule, because wrapping arithmetic has no division.
 */
final class ReduceAdjoint {
  private final Sweep sweep;
  private final Adjoints adjoints;
  private final Emitter e;

  ReduceAdjoint(Sweep sweep, Emitter e) {
    this.sweep = sweep;
    this.adjoints = sweep.adjoints();
    this.e = e;
  }

  void reverse(Stm s, Soac.Screma x) {
    Soac.Reduce o = x.reduces().get(0);
    BinOp extremum = OperatorForms.extremum(o.op());
    SubExp first = SubExp.of(x.inputs().get(0));
    PatElem y = s.pat().get(0);
    neutral(s, x, o);
    if (OperatorForms.isSum(o.op())) {
      SubExp adj = adjoints.value(e, y.name());
      if (!adjoints.isActive(first)) {
        return;
      }
      Type t = Type.array(y.type(), x.width());
      SubExp all = e.let("adj", t, new BasicOp.Replicate(List.of(x.width()), adj));
      adjoints.add(e, first, all, true);
    } else if (extremum != null) {
      selected(s, x, o, Extrema.operator(e.inner(), extremum));
    } else if (OperatorForms.isProduct(o.op()) && y.type().elemPrim().isFloat()) {
      product(x, y);
    } else {
      Lambda selection = Extrema.selection(e.inner(), o.op());
      if (selection != null) {
        selected(s, x, o, selection);
      } else {
        general(s, x, o);
      }
    }
  }

  /** Adds to the adjoint of the neutral element if the array is empty. */
  private void neutral(Stm s, Soac.Screma x, Soac.Reduce o) {
    for (int k = 0; k < o.neutral().size(); k++) {
      SubExp ne = o.neutral().get(k);
      Name y = s.pat().get(k).name();
      if (!adjoints.isActive(ne) || adjoints.isZero(y)) {
        continue;
      }
      SubExp adj = adjoints.value(e, y);
      SubExp none = compare(e, CmpOp.Kind.EQ, PrimType.I64, x.width(), SubExp.i64(0));
      Type t = e.type(ne);
      adjoints.add(
          e,
          ne,
          e.conditional(
                  "adj",
                  List.of(t),
                  none,
                  in -> List.of(in.copy(adj)),
                  in -> List.of(Arithmetic.zeros(in, t)))
              .get(0),
          true);
    }
  }

  /**
   * Reverses a reduction whose result is one of the elements. The forward sweep finds the index of
   * the element.
   *
   * @param op the operator on elements with their indices
   */
  private void selected(Stm s, Soac.Screma x, Soac.Reduce o, Lambda op) {
    Emitter before = e.inner().at(s.aux());
    List<Name> inputs = new ArrayList<>(x.inputs());
    inputs.add(Emitter.array(before.iota(x.width())));
    PatElem k = new PatElem(e.names().fresh("k"), Type.I64);
    List<PatElem> pat = new ArrayList<>(s.pat());
    pat.add(k);
    List<SubExp> neutral = new ArrayList<>(o.neutral());
    neutral.add(Extrema.NOWHERE);
    before.add(
        pat,
        new Soac.Screma(
            x.width(),
            inputs,
            before.identity(inputs.stream().map(n -> before.type(n).row()).toList()),
            List.of(),
            List.of(new Soac.Reduce(o.commutative(), op, neutral)),
            before.identity(List.of())));
    sweep.replaceAt(sweep.position(), s, before.stms());
    for (int j = 0; j < s.pat().size(); j++) {
      SubExp adj = adjoints.dense(e, s.pat().get(j).name());
      if (adj == null) {
        continue;
      }
      adjoints.addAt(e, x.inputs().get(j), List.of(SubExp.of(k.name())), adj, true);
    }
  }

  private void product(Soac.Screma x, PatElem y) {
    SubExp a = SubExp.of(x.inputs().get(0));
    if (!adjoints.isActive(a)) {
      return;
    }
    SubExp adj = adjoints.value(e, y.name());
    PrimType t = y.type().elemPrim();
    SubExp zero = Arithmetic.zero(t);
    SubExp one = Arithmetic.one(t);
    List<SubExp> parts = Folds.factors(e, x.width(), a);
    Type type = Type.prim(t);
    Lambda times = Folds.product(e, t);
    List<SubExp> folded =
        e.reduce(
            "folded",
            x.width(),
            Folds.names(parts),
            List.of(new Soac.Reduce(true, times, List.of(one)), Arithmetic.summing(e, Type.I64)));
    SubExp scaled = times(e, t, adj, folded.get(0));
    SubExp none = compare(e, CmpOp.Kind.EQ, PrimType.I64, folded.get(1), SubExp.i64(0));
    SubExp single = compare(e, CmpOp.Kind.EQ, PrimType.I64, folded.get(1), SubExp.i64(1));
    SubExp ifZero = e.select(single, scaled, zero);
    SubExp all =
        e.map(
                "adj",
                x.width(),
                List.of(a),
                (in, v) -> {
                  SubExp isZero = compare(in, CmpOp.Kind.EQ, t, v.get(0), zero);
                  return in.conditional(
                      "adj",
                      List.of(type),
                      isZero,
                      yes -> List.of(ifZero),
                      no ->
                          List.of(no.select(none, Arithmetic.over(no, t, scaled, v.get(0)), zero)));
                })
            .get(0);
    adjoints.add(e, a, all, true);
  }

  private void general(Stm s, Soac.Screma x, Soac.Reduce o) {
    List<SubExp> as = Emitter.operands(x.inputs());
    SubExp n = x.width();
    Lambda op = Folds.copy(e, o.op());
    List<SubExp> us = e.scan("prefix", n, x.inputs(), new Soac.Scan(op, o.neutral()));
    List<SubExp> backwards =
        e.scan(
            "suffix",
            n,
            Folds.names(Folds.reversed(e, as)),
            new Soac.Scan(Folds.flipped(e, o.op()), o.neutral()));
    List<SubExp> rs = Folds.after(e, n, Folds.reversed(e, backwards), o.neutral());
    List<SubExp> ls = Folds.before(e, n, us, o.neutral());
    List<@Nullable SubExp> ys = new ArrayList<>();
    for (PatElem p : s.pat()) {
      SubExp adj = adjoints.dense(e, p.name());
      ys.add(
          adj == null
              ? null
              : e.let("adj", Type.array(p.type(), n), new BasicOp.Replicate(List.of(n), adj)));
    }
    SubExp last = Folds.isIndex(e, n, Arithmetic.sub(e, n, SubExp.i64(1)));
    SubExp start = Folds.isIndex(e, n, SubExp.i64(0));
    var all = new Neighbours(ls, as, us, rs, start, last);
    List<@Nullable SubExp> adj = elements(sweep, e, n, o.op(), all, ys, as);
    for (int k = 0; k < as.size(); k++) {
      SubExp a = adj.get(k);
      if (a != null) {
        adjoints.add(e, as.get(k), a, true);
      }
    }
  }

  /**
   * Elements and their partial products on both sides.
   *
   * @param left for each element, the product of all elements before it
   * @param own the elements
   * @param upTo for each element, the product of all elements up to and including it
   * @param right for each element, the product of all elements after it
   * @param first for each element, whether it is the first
   * @param last for each element, whether it is the last
   */
  record Neighbours(
      List<SubExp> left,
      List<SubExp> own,
      List<SubExp> upTo,
      List<SubExp> right,
      SubExp first,
      SubExp last) {}

  /**
   * Returns the adjoints of the elements, given the adjoint of the product of all for each element.
   * This method first computes the adjoints of the products up to each element, then those of the
   * elements and the free variables.
   *
   * @param wanted for each array of elements, whether it is active
   * @return the adjoints, null for zero
   */
  static List<@Nullable SubExp> elements(
      Sweep sweep,
      Emitter e,
      SubExp n,
      Lambda op,
      Neighbours v,
      List<@Nullable SubExp> ys,
      List<SubExp> wanted) {
    int d = op.results().size();
    List<Boolean> prefix = new ArrayList<>(Collections.nCopies(d, true));
    prefix.addAll(Collections.nCopies(d + 1, false));
    List<Name> inputs = new ArrayList<>(Folds.names(v.upTo));
    inputs.addAll(Folds.names(v.right));
    inputs.add(Emitter.array(v.last));
    Lambda f = Folds.unless(e, op, true);
    List<@Nullable SubExp> prefixes =
        MapAdjoint.adjoints(sweep, e, n, inputs, f, ys, prefix, false);
    return ownElements(sweep, e, n, op, v, prefixes.subList(0, d), wanted);
  }

  /**
   * Returns the adjoints of the elements, given the adjoints of the products up to each element.
   */
  static List<@Nullable SubExp> ownElements(
      Sweep sweep,
      Emitter e,
      SubExp n,
      Lambda op,
      Neighbours v,
      List<@Nullable SubExp> prefixes,
      List<SubExp> wanted) {
    int d = op.results().size();
    List<Boolean> active = new ArrayList<>(Collections.nCopies(d, false));
    for (SubExp a : wanted) {
      active.add(sweep.adjoints().isActive(a));
    }
    active.add(false);
    List<Name> inputs = new ArrayList<>(Folds.names(v.left));
    inputs.addAll(Folds.names(v.own));
    inputs.add(Emitter.array(v.first));
    Lambda f = Folds.unless(e, op, false);
    return MapAdjoint.adjoints(sweep, e, n, inputs, f, prefixes, active, true).subList(d, 2 * d);
  }
}
