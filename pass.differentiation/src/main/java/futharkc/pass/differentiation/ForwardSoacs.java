package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.List;

/**
 * Forward mode of the parallel operations, in normal form.
 *
 * <pre>
 * y = map f x                   (y, y') = map (f, f') x x'
 * y = reduce + x                 y' = reduce + x'; so for scans and histograms
 * y = reduce max x              (y, k) = reduce argmax x; y' = x'[k]; so for scans and histograms
 * y = reduce op x               (y, y') = reduce op' (x, x')        with op' the operator on dual numbers:
 *                                                                   (a, a') (b, b') to (op, op_1 a' + op_2 b')
 * </pre>
 *
 * <p>The operator on dual numbers is associative if the original operator is, because both sides of
 * the law have the same derivative. Its neutral element is that of the original operator with the
 * tangent of that element.
 */
final class ForwardSoacs {
  private final Forward forward;
  private final Tangents tangents;
  private final Emitter e;
  private final int directions;

  ForwardSoacs(Forward forward) {
    this.forward = forward;
    this.tangents = forward.tangents();
    this.e = forward.emitter();
    this.directions = tangents.directions();
  }

  void soac(Stm s, Soac op) {
    switch (op) {
      case Soac.Screma x when x.isMap() -> map(s, x);
      case Soac.Screma x when x.scans().isEmpty() -> reduce(s, x, x.reduces().get(0));
      case Soac.Screma x -> scan(s, x, x.scans().get(0));
      case Soac.Hist x -> hist(s, x, x.ops().get(0));
      case Soac.FlatMap x -> flatMap(s, x);
      case Soac.WithVjp x -> withVjp(s, x);
      case Soac.Stream x -> throw new IllegalStateException("stream left after normalisation");
      case Soac.Jvp x -> throw new IllegalStateException("nested derivative operator left");
      case Soac.Vjp x -> throw new IllegalStateException("nested derivative operator left");
    }
  }

  /** A function on elements and their tangents, and its input arrays. */
  private record Dual(List<Name> inputs, Lambda f) {}

  private Dual dual(List<Name> inputs, Lambda f, List<Boolean> wanted) {
    List<Name> all = new ArrayList<>(inputs);
    List<Param> params = new ArrayList<>();
    for (Param p : f.params()) {
      params.add(forward.dualType(p));
    }
    for (int i = 0; i < inputs.size(); i++) {
      Param p = f.params().get(i);
      if (p.type() instanceof Type.Acc || !forward.isActive(p)) {
        continue;
      }
      for (int d = 0; d < directions; d++) {
        SubExp t = tangents.get(inputs.get(i), d);
        if (t == null) {
          continue;
        }
        Param q = e.param(Forward.tangentOf(p.name()), p.type(), p.unique());
        tangents.set(p.name(), d, SubExp.of(q.name()));
        params.add(q);
        all.add(Emitter.array(t));
      }
    }
    Body b = forward.body(f.body(), wanted);
    return new Dual(all, new Lambda(params, b, b.results().stream().map(e::type).toList()));
  }

  private void map(Stm s, Soac.Screma x) {
    List<Boolean> wanted = forward.wanted(s.pat());
    Dual dual = dual(x.inputs(), x.map(), wanted);
    e.add(forward.dual(s.pat(), wanted), e.mapping(x.width(), dual.inputs, dual.f));
  }

  /** An operator on dual numbers, restricted to the active components. */
  private record DualOperator(
      List<Name> inputs, Lambda op, List<SubExp> neutral, List<PatElem> pat) {}

  private DualOperator operator(
      List<PatElem> pat, List<Name> inputs, Lambda op, List<SubExp> neutral) {
    int n = neutral.size();
    List<Boolean> wanted = forward.wanted(pat);
    List<Name> all = new ArrayList<>(inputs);
    List<SubExp> zero = new ArrayList<>(neutral);
    for (int k = 0; k < n; k++) {
      if (!wanted.get(k)) {
        continue;
      }
      for (SubExp t : tangents.values(e, SubExp.of(inputs.get(k)))) {
        all.add(Emitter.array(t));
      }
      zero.addAll(tangents.values(e, neutral.get(k)));
    }
    List<Param> params = new ArrayList<>();
    for (int side = 0; side < 2; side++) {
      List<Param> mine = op.params().subList(side * n, (side + 1) * n);
      for (Param p : mine) {
        e.scope().add(p.name(), p.type());
      }
      params.addAll(mine);
      List<Param> active = new ArrayList<>();
      for (int k = 0; k < n; k++) {
        if (wanted.get(k)) {
          active.add(mine.get(k));
        }
      }
      params.addAll(
          forward.withTangents(active).subList(active.size(), active.size() * (1 + directions)));
    }
    Body b = forward.body(op.body(), wanted);
    Lambda dual = new Lambda(params, b, b.results().stream().map(e::type).toList());
    return new DualOperator(all, dual, zero, forward.dual(pat, wanted));
  }

  private List<Type> rows(List<Name> arrays) {
    return arrays.stream().map(a -> e.type(a).row()).toList();
  }

  private void reduce(Stm s, Soac.Screma x, Soac.Reduce o) {
    BinOp extremum = OperatorForms.extremum(o.op());
    if (OperatorForms.isSum(o.op())) {
      e.add(s);
      PatElem p = s.pat().get(0);
      for (int d = 0; d < directions; d++) {
        SubExp t = tangents.get(x.inputs().get(0), d);
        if (t == null) {
          continue;
        }
        Soac.Reduce sum = sumOf(o, p.type());
        tangents.set(
            p.name(),
            d,
            e.reduce(
                    Forward.tangentOf(p.name()), x.width(), List.of(Emitter.array(t)), List.of(sum))
                .get(0));
      }
    } else if (extremum != null) {
      PatElem k = new PatElem(e.names().fresh("k"), Type.I64);
      List<Name> inputs = indexed(x.width(), x.inputs().get(0));
      Lambda op = Extrema.operator(e, extremum);
      List<SubExp> neutral = List.of(o.neutral().get(0), Extrema.NOWHERE);
      e.add(
          List.of(s.pat().get(0), k),
          new Soac.Screma(
              x.width(),
              inputs,
              e.identity(rows(inputs)),
              List.of(),
              List.of(new Soac.Reduce(true, op, neutral)),
              e.identity(List.of())));
      for (int d = 0; d < directions; d++) {
        SubExp t = tangents.get(x.inputs().get(0), d);
        if (t == null) {
          continue;
        }
        SubExp otherwise = tangents.value(e, o.neutral().get(0), d);
        SubExp at = Extrema.element(e, t, SubExp.of(k.name()), otherwise);
        tangents.set(s.pat().get(0).name(), d, at);
      }
    } else {
      DualOperator dual = operator(s.pat(), x.inputs(), o.op(), o.neutral());
      e.add(
          dual.pat,
          new Soac.Screma(
              x.width(),
              dual.inputs,
              e.identity(rows(dual.inputs)),
              List.of(),
              List.of(new Soac.Reduce(o.commutative(), dual.op, dual.neutral)),
              e.identity(List.of())));
    }
  }

  /**
   * Returns the same sum for tangents. Its neutral element is the tangent of the original neutral
   * element.
   */
  private Soac.Reduce sumOf(Soac.Reduce o, Type t) {
    Lambda op = new futharkc.core.ir.Renamer(e.names()).lambda(o.op());
    e.scope().addParams(op.params());
    e.scope().addAll(op.body());
    return new Soac.Reduce(true, op, List.of(Arithmetic.zeros(e, t)));
  }

  private List<Name> indexed(SubExp width, Name array) {
    return List.of(array, Emitter.array(e.iota(width)));
  }

  private void scan(Stm s, Soac.Screma x, Soac.Scan o) {
    BinOp extremum = OperatorForms.extremum(o.op());
    if (OperatorForms.isSum(o.op())) {
      e.add(s);
      PatElem p = s.pat().get(0);
      for (int d = 0; d < directions; d++) {
        SubExp t = tangents.get(x.inputs().get(0), d);
        if (t == null) {
          continue;
        }
        Soac.Reduce sum = sumOf(new Soac.Reduce(true, o.op(), o.neutral()), p.type().row());
        Soac.Scan scan = new Soac.Scan(sum.op(), sum.neutral());
        tangents.set(
            p.name(),
            d,
            e.scan(Forward.tangentOf(p.name()), x.width(), List.of(Emitter.array(t)), scan).get(0));
      }
    } else if (extremum != null) {
      PatElem ks = new PatElem(e.names().fresh("ks"), Type.array(Type.I64, x.width()));
      List<Name> inputs = indexed(x.width(), x.inputs().get(0));
      Lambda op = Extrema.operator(e, extremum);
      List<SubExp> neutral = List.of(o.neutral().get(0), Extrema.NOWHERE);
      e.add(
          List.of(s.pat().get(0), ks),
          new Soac.Screma(
              x.width(),
              inputs,
              e.identity(rows(inputs)),
              List.of(new Soac.Scan(op, neutral)),
              List.of(),
              e.identity(rows(inputs))));
      gather(s.pat().get(0), x.inputs().get(0), SubExp.of(ks.name()), null, x.width());
    } else {
      DualOperator dual = operator(s.pat(), x.inputs(), o.op(), o.neutral());
      List<Type> rows = rows(dual.inputs);
      e.add(
          dual.pat,
          new Soac.Screma(
              x.width(),
              dual.inputs,
              e.identity(rows),
              List.of(new Soac.Scan(dual.op, dual.neutral)),
              List.of(),
              e.identity(rows)));
    }
  }

  /**
   * Emits the tangents at the indices of the selected elements. An index of -1 selects the tangent
   * of the old array, or zero.
   */
  private void gather(
      PatElem p, Name from, SubExp ks, @org.jspecify.annotations.Nullable Name old, SubExp width) {
    for (int d = 0; d < directions; d++) {
      int k = d;
      SubExp t = tangents.get(from, d);
      SubExp o = old == null ? null : tangents.get(old, d);
      if (t == null && o == null) {
        continue;
      }
      SubExp source = tangents.value(e, SubExp.of(from), k);
      SubExp zero = Arithmetic.zero(p.type().elemPrim());
      List<SubExp> inputs = o == null ? List.of(ks) : List.of(ks, o);
      tangents.set(
          p.name(),
          d,
          e.map(
                  Forward.tangentOf(p.name()),
                  width,
                  inputs,
                  (in, v) ->
                      List.of(Extrema.element(in, source, v.get(0), o == null ? zero : v.get(1))))
              .get(0));
    }
  }

  private void hist(Stm s, Soac.Hist x, Soac.HistOp o) {
    BinOp extremum = OperatorForms.extremum(o.op());
    Name index = x.inputs().get(0);
    List<Name> values = x.inputs().subList(1, x.inputs().size());
    if (OperatorForms.isSum(o.op())) {
      PatElem p = s.pat().get(0);
      List<SubExp> dests = tangents.values(e, SubExp.of(o.dests().get(0)));
      e.add(s);
      for (int d = 0; d < directions; d++) {
        SubExp t = tangents.value(e, SubExp.of(values.get(0)), d);
        Soac.Reduce sum =
            sumOf(new Soac.Reduce(true, o.op(), o.neutral()), e.type(o.neutral().get(0)));
        var op =
            new Soac.HistOp(
                o.shape(),
                o.raceFactor(),
                List.of(Emitter.array(dests.get(d))),
                sum.neutral(),
                sum.op());
        List<Name> inputs = List.of(index, Emitter.array(t));
        var hist = new Soac.Hist(x.width(), inputs, List.of(op), e.identity(rows(inputs)));
        tangents.set(p.name(), d, e.let(Forward.tangentOf(p.name()), p.type(), hist));
      }
    } else if (extremum != null) {
      PatElem p = s.pat().get(0);
      SubExp size = o.shape().get(0);
      PatElem ks = new PatElem(e.names().fresh("ks"), Type.array(Type.I64, size));
      SubExp old = e.let("old", ks.type(), new BasicOp.Replicate(List.of(size), Extrema.OLD));
      List<Name> inputs = List.of(index, values.get(0), Emitter.array(e.iota(x.width())));
      var op =
          new Soac.HistOp(
              o.shape(),
              o.raceFactor(),
              List.of(o.dests().get(0), Emitter.array(old)),
              List.of(o.neutral().get(0), Extrema.NOWHERE),
              Extrema.operator(e, extremum));
      e.add(
          List.of(p, ks), new Soac.Hist(x.width(), inputs, List.of(op), e.identity(rows(inputs))));
      gather(p, values.get(0), SubExp.of(ks.name()), o.dests().get(0), size);
    } else {
      DualOperator dual = operator(s.pat(), values, o.op(), o.neutral());
      List<Name> dests = new ArrayList<>(o.dests());
      List<Boolean> wanted = forward.wanted(s.pat());
      for (int k = 0; k < o.dests().size(); k++) {
        if (!wanted.get(k)) {
          continue;
        }
        for (SubExp t : tangents.values(e, SubExp.of(o.dests().get(k)))) {
          dests.add(Emitter.array(t));
        }
      }
      List<Name> inputs = new ArrayList<>(List.of(index));
      inputs.addAll(dual.inputs);
      var op = new Soac.HistOp(o.shape(), o.raceFactor(), dests, dual.neutral, dual.op);
      e.add(dual.pat, new Soac.Hist(x.width(), inputs, List.of(op), e.identity(rows(inputs))));
    }
  }

  /** Emits the flat map with tangents. Sizes and offsets have no tangents. */
  private void flatMap(Stm s, Soac.FlatMap x) {
    List<Boolean> wanted = new ArrayList<>(List.of(false));
    List<PatElem> arrays = s.pat().subList(2, s.pat().size());
    wanted.addAll(forward.wanted(arrays));
    Dual dual = dual(x.inputs(), x.lambda(), wanted);
    List<Type> results = new ArrayList<>(x.lambda().results());
    for (int k = 0; k < arrays.size(); k++) {
      for (int d = 0; d < directions; d++) {
        if (wanted.get(k + 1)) {
          results.add(x.lambda().results().get(k + 1));
        }
      }
    }
    List<PatElem> pat = new ArrayList<>(s.pat().subList(0, 2));
    pat.addAll(forward.dual(arrays, forward.wanted(arrays)));
    Lambda f = new Lambda(dual.f.params(), dual.f.body(), results);
    e.add(pat, new Soac.FlatMap(x.width(), dual.inputs, f));
  }

  /** Emits the function itself; forward mode ignores the user-defined derivative. */
  private void withVjp(Stm s, Soac.WithVjp x) {
    Lambda f = x.lambda();
    for (int k = 0; k < x.args().size(); k++) {
      Param p = f.params().get(k);
      e.alias(p.name(), p.type(), x.args().get(k));
      for (int d = 0; d < directions; d++) {
        SubExp t = tangents.get(x.args().get(k), d);
        if (t != null) {
          tangents.set(p.name(), d, t);
        }
      }
    }
    forward.inlined(f);
    for (int k = 0; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      SubExp r = f.body().results().get(k);
      e.alias(p.name(), p.type(), r);
      for (int d = 0; d < directions; d++) {
        SubExp t = tangents.get(r, d);
        if (t != null) {
          tangents.set(p.name(), d, t);
        }
      }
    }
  }
}
