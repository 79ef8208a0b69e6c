package futharkc.pass.differentiation;

import static futharkc.core.ir.build.Arithmetic.plus;
import static futharkc.core.ir.build.Arithmetic.times;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reverse mode of scans. With r[i] the sum of the contributions of y[i] to the results, directly
 * and through later elements,
 *
 * <pre>
 * y = scan op a            r[n-1] = y_[n-1];  r[i] = y_[i] + D1(y[i], a[i+1])^T r[i+1]
 *                          a_[0] += r[0];     a_[i] += D2(y[i-1], a[i])^T r[i]
 * </pre>
 *
 * <p>where D1 and D2 are the derivatives of the operator by its operands. The recurrence is a scan
 * from right to left, in one of three ways:
 *
 * <pre>
 * op is a sum                    r = scan + y_
 * op is on d scalars, D1 in      scan of (c, J), with (c, J) of y_[i] and the block of D1^T:
 * blocks of k x k, k at most d/2    (c1, J1) then (c2, J2) is (c2 + J2 c1, J2 J1);
 *                                equal blocks share J
 * any other operator             scan of (x, a, u), with y[i], a[i+1] and y_[i]:
 *                                   (x, a, u) (x', b, v) is (x, a op b, u + D1(x, a)^T v)
 * </pre>
 *
 * <p>The second is from Schenck et al., AD for an Array Language with Nested Parallelism, SC 2022,
 * section 5.2; the third from Paszke et al., Parallelism-preserving automatic differentiation for
 * second-order array languages, FHPC 2021.
 */
final class ScanAdjoint {
  private final Sweep sweep;
  private final Adjoints adjoints;
  private final Emitter e;

  ScanAdjoint(Sweep sweep, Emitter e) {
    this.sweep = sweep;
    this.adjoints = sweep.adjoints();
    this.e = e;
  }

  void reverse(Stm s, Soac.Screma x) {
    Soac.Scan o = x.scans().get(0);
    SubExp n = x.width();
    List<SubExp> ys = s.pat().stream().map(p -> adjoints.value(e, p.name())).toList();
    if (OperatorForms.isSum(o.op())) {
      SubExp a = SubExp.of(x.inputs().get(0));
      if (!adjoints.isActive(a)) {
        return;
      }
      Soac.Reduce sum = Arithmetic.summing(e, s.pat().get(0).type().row());
      List<Name> inputs = List.of(Emitter.array(Folds.reversed(e, ys.get(0))));
      List<SubExp> r = e.scan("r", n, inputs, new Soac.Scan(sum.op(), sum.neutral()));
      adjoints.add(e, a, Folds.reversed(e, r.get(0)));
      return;
    }
    List<SubExp> results = s.pat().stream().map(p -> SubExp.of(p.name())).toList();
    List<SubExp> as = Emitter.operands(x.inputs());
    List<SubExp> r = suffixes(n, o, results, as, ys);
    SubExp first = Folds.isIndex(e, n, SubExp.i64(0));
    List<SubExp> left = Folds.before(e, n, results, o.neutral());
    var all = new ReduceAdjoint.Neighbours(left, as, results, List.of(), first, first);
    List<@Nullable SubExp> prefixes = new ArrayList<>(r);
    List<@Nullable SubExp> adj = ReduceAdjoint.ownElements(sweep, e, n, o.op(), all, prefixes, as);
    for (int k = 0; k < as.size(); k++) {
      SubExp a = adj.get(k);
      if (a != null) {
        adjoints.add(e, as.get(k), a, true);
      }
    }
  }

  private List<SubExp> suffixes(
      SubExp n, Soac.Scan o, List<SubExp> results, List<SubExp> as, List<SubExp> ys) {
    int block = Jacobian.block(sweep.derivation(), e, o.op());
    List<SubExp> next = Folds.after(e, n, as, o.neutral());
    return block > 0
        ? byMatrices(n, o, block, results, next, ys)
        : byOperator(n, o, results, next, ys);
  }

  // Linear recurrences

  private List<SubExp> byMatrices(
      SubExp n, Soac.Scan o, int k, List<SubExp> results, List<SubExp> next, List<SubExp> ys) {
    int d = results.size();
    List<SubExp> inputs = new ArrayList<>(results);
    inputs.addAll(next);
    boolean[] shared = {true};
    List<SubExp> entries =
        e.map(
            "jac",
            n,
            inputs,
            (in, v) -> {
              List<SubExp> at = v.subList(0, d);
              Jacobian j = Jacobian.of(sweep.derivation(), in, o.op(), at, v.subList(d, 2 * d));
              shared[0] = j.hasEqualBlocks(k);
              return j.blocks(k);
            });
    List<SubExp> out = new ArrayList<>();
    if (shared[0]) {
      out.addAll(recurrence(n, k, ys, entries.subList(0, k * k)));
    } else {
      for (int b = 0; b < d / k; b++) {
        out.addAll(
            recurrence(
                n, k, ys.subList(b * k, (b + 1) * k), entries.subList(b * k * k, (b + 1) * k * k)));
      }
    }
    return out;
  }

  /**
   * Returns the solution of {@code r[i] = c[i] + J[i]^T r[i+1]} for several blocks of size k with
   * the same matrices.
   *
   * @param jac the entries of the matrices, row by row
   */
  private List<SubExp> recurrence(SubExp n, int k, List<SubExp> c, List<SubExp> jac) {
    int m = c.size();
    PrimType t = e.type(c.get(0)).elemPrim();
    List<SubExp> inputs = new ArrayList<>(Folds.reversed(e, c));
    inputs.addAll(Folds.reversed(e, jac));
    List<Type> types = new ArrayList<>();
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < m + k * k; i++) {
        types.add(Type.prim(t));
      }
    }
    Lambda op =
        e.lambda(
            "r",
            types,
            (in, v) -> {
              List<SubExp> c1 = v.subList(0, m);
              List<SubExp> j1 = v.subList(m, m + k * k);
              List<SubExp> c2 = v.subList(m + k * k, 2 * m + k * k);
              List<SubExp> j2 = v.subList(2 * m + k * k, v.size());
              List<SubExp> results = new ArrayList<>();
              for (int i = 0; i < m; i++) {
                SubExp sum = c2.get(i);
                int base = i / k * k;
                for (int l = 0; l < k; l++) {
                  // The entry (l, i) of the transposed matrix.
                  sum = plus(in, t, sum, times(in, t, j2.get(l * k + i % k), c1.get(base + l)));
                }
                results.add(sum);
              }
              // The product J2 J1 of transposed matrices is the transposed J1' J2'.
              for (int row = 0; row < k; row++) {
                for (int col = 0; col < k; col++) {
                  SubExp sum = Arithmetic.zero(t);
                  for (int l = 0; l < k; l++) {
                    sum = plus(in, t, sum, times(in, t, j1.get(row * k + l), j2.get(l * k + col)));
                  }
                  results.add(sum);
                }
              }
              return results;
            });
    List<SubExp> neutral = new ArrayList<>();
    for (int i = 0; i < m; i++) {
      neutral.add(Arithmetic.zero(t));
    }
    for (int row = 0; row < k; row++) {
      for (int col = 0; col < k; col++) {
        neutral.add(row == col ? Arithmetic.one(t) : Arithmetic.zero(t));
      }
    }
    List<SubExp> r = e.scan("r", n, Folds.names(inputs), new Soac.Scan(op, neutral));
    return Folds.reversed(e, r.subList(0, m));
  }

  // Any operator

  private List<SubExp> byOperator(
      SubExp n, Soac.Scan o, List<SubExp> results, List<SubExp> next, List<SubExp> ys) {
    int d = results.size();
    SubExp some =
        e.let("some", Type.array(Type.BOOL, n), new BasicOp.Replicate(List.of(n), SubExp.TRUE));
    List<SubExp> inputs = new ArrayList<>(List.of(some));
    inputs.addAll(Folds.reversed(e, results));
    inputs.addAll(Folds.reversed(e, next));
    inputs.addAll(Folds.reversed(e, ys));
    List<Type> side = inputs.stream().map(a -> e.type(a).row()).toList();
    List<Type> types = new ArrayList<>(side);
    types.addAll(side);
    int m = side.size();
    Lambda op =
        e.lambda(
            "r",
            types,
            (in, v) -> {
              List<SubExp> later = v.subList(0, m);
              List<SubExp> earlier = v.subList(m, 2 * m);
              return in.conditional(
                  "r",
                  side,
                  later.get(0),
                  both ->
                      both.conditional(
                          "r",
                          side,
                          earlier.get(0),
                          yes -> combined(yes, o.op(), d, earlier, later),
                          no -> later),
                  no -> earlier);
            });
    List<SubExp> neutral = new ArrayList<>(List.of(SubExp.FALSE));
    neutral.addAll(o.neutral());
    neutral.addAll(o.neutral());
    for (SubExp ne : o.neutral()) {
      neutral.add(Arithmetic.zeros(e, e.type(ne)));
    }
    List<SubExp> r = e.scan("r", n, Folds.names(inputs), new Soac.Scan(op, neutral));
    return Folds.reversed(e, r.subList(1 + 2 * d, 1 + 3 * d));
  }

  private List<SubExp> combined(
      Emitter in, Lambda op, int d, List<SubExp> earlier, List<SubExp> later) {
    List<SubExp> x = earlier.subList(1, 1 + d);
    List<SubExp> a = earlier.subList(1 + d, 1 + 2 * d);
    List<SubExp> u = earlier.subList(1 + 2 * d, 1 + 3 * d);
    List<SubExp> b = later.subList(1 + d, 1 + 2 * d);
    List<SubExp> v = later.subList(1 + 2 * d, 1 + 3 * d);
    List<SubExp> out = new ArrayList<>(List.of(SubExp.TRUE));
    out.addAll(x);
    out.addAll(Folds.apply(in, op, a, b));
    List<@Nullable SubExp> added = SyntheticAdjoint.ofLeft(sweep, in, op, x, a, v);
    for (int k = 0; k < d; k++) {
      SubExp more = added.get(k);
      out.add(more == null ? u.get(k) : Arithmetic.sum(in, u.get(k), more));
    }
    return out;
  }
}
