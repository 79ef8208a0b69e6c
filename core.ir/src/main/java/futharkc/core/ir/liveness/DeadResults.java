package futharkc.core.ir.liveness;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Elimination of dead results of parallel operations, with the code that only they need: whole
 * reductions, scans and histograms, and single components of operators on tuples.
 *
 * <pre>{@code
 * let (s, p) = screma(n, [xs, ys]) reduce (\a b c d -> (a + c, b * d))      -- p is not live
 *   => let s = screma(n, [xs]) reduce (\a c -> a + c)
 * }</pre>
 */
final class DeadResults {
  private DeadResults() {}

  // Components of operators

  /**
   * Returns the components of an operator on which the live components depend, including the live
   * components.
   *
   * @param first the position of the first component's left operand among the parameters
   */
  private static Set<Integer> needed(Lambda op, int first, Collection<Integer> live) {
    int n = op.results().size();
    Set<Integer> needed = new TreeSet<>(live);
    boolean more = true;
    while (more && needed.size() < n) {
      Set<Name> used = FreeNames.of(new DeadCode().body(pick(op, needed).body()));
      more = false;
      for (int k = 0; k < n; k++) {
        boolean isUsed =
            used.contains(op.params().get(first + k).name())
                || used.contains(op.params().get(first + n + k).name());
        more |= isUsed && needed.add(k);
      }
    }
    return needed;
  }

  /** Restricts an operator to the given components. */
  private static Lambda restrict(Lambda op, int first, Collection<Integer> components) {
    int n = op.results().size();
    List<Param> params = new ArrayList<>(op.params().subList(0, first));
    for (int k : components) {
      params.add(op.params().get(first + k));
    }
    for (int k : components) {
      params.add(op.params().get(first + n + k));
    }
    Lambda picked = pick(op, components);
    return new Lambda(params, picked.body(), picked.results());
  }

  private static <T> List<T> pick(List<T> all, Collection<Integer> keep) {
    return keep.stream().map(all::get).toList();
  }

  private static Lambda pick(Lambda l, Collection<Integer> keep) {
    Body body = new Body(l.body().stms(), pick(l.body().results(), keep));
    return new Lambda(l.params(), body, pick(l.results(), keep));
  }

  // Maps, scans and reductions

  static Stm screma(Stm s, Soac.Screma x, List<Integer> keep) {
    int numReduced = x.reduceResults();
    int numScanned = x.scanResults();
    List<Integer> reduced = new ArrayList<>();
    List<Integer> posted = new ArrayList<>();
    for (int k : keep) {
      if (k < numReduced) {
        reduced.add(k);
      } else {
        posted.add(k - numReduced);
      }
    }
    Lambda post = pick(x.post(), posted);
    Set<Name> used = FreeNames.of(new DeadCode().body(post.body()));
    List<Integer> params = new ArrayList<>();
    for (int k = 0; k < post.params().size(); k++) {
      Param p = post.params().get(k);
      if (used.contains(p.name()) || p.type() instanceof Type.Acc) {
        params.add(k);
      }
    }

    Set<Integer> mapResults = new TreeSet<>();
    Set<Integer> postParams = new TreeSet<>();
    Set<Integer> results = new TreeSet<>();
    List<Soac.Scan> scans = new ArrayList<>();
    int at = 0;
    for (Soac.Scan scan : x.scans()) {
      Set<Integer> needed = needed(scan.op(), 0, within(params, at, scan.neutral().size()));
      for (int k : needed) {
        mapResults.add(at + k);
        postParams.add(at + k);
      }
      if (!needed.isEmpty()) {
        scans.add(new Soac.Scan(restrict(scan.op(), 0, needed), pick(scan.neutral(), needed)));
      }
      at += scan.neutral().size();
    }
    List<Soac.Reduce> reduces = new ArrayList<>();
    at = 0;
    for (Soac.Reduce r : x.reduces()) {
      Set<Integer> needed = needed(r.op(), 0, within(reduced, at, r.neutral().size()));
      for (int k : needed) {
        mapResults.add(numScanned + at + k);
        results.add(at + k);
      }
      if (!needed.isEmpty()) {
        Lambda op = restrict(r.op(), 0, needed);
        reduces.add(new Soac.Reduce(r.commutative(), op, pick(r.neutral(), needed)));
      }
      at += r.neutral().size();
    }
    for (int k : params) {
      if (k < numScanned) {
        continue;
      }
      mapResults.add(numReduced + k);
      postParams.add(k);
    }
    posted.forEach(k -> results.add(numReduced + k));
    boolean same =
        results.size() == s.pat().size() && mapResults.size() == x.map().results().size();
    if (same) {
      return s;
    }
    Lambda smallerPost = new Lambda(pick(post.params(), postParams), post.body(), post.results());
    var smaller =
        new Soac.Screma(
            x.width(), x.inputs(), pick(x.map(), mapResults), scans, reduces, smallerPost);
    return new Stm(pick(s.pat(), results), s.aux(), smaller);
  }

  /** Returns the positions within a range, relative to its start. */
  private static List<Integer> within(Collection<Integer> positions, int start, int count) {
    return positions.stream()
        .filter(k -> k >= start && k < start + count)
        .map(k -> k - start)
        .toList();
  }

  // Inputs

  /** Removes inputs whose elements the function does not use. */
  static Exp withoutUnusedInputs(Exp e) {
    return switch (e) {
      case Soac.Screma x -> {
        List<Integer> used = usedInputs(x.map());
        yield used.size() == x.inputs().size()
            ? x
            : new Soac.Screma(
                x.width(),
                pick(x.inputs(), used),
                ofInputs(x.map(), used),
                x.scans(),
                x.reduces(),
                x.post());
      }
      case Soac.Hist x -> {
        List<Integer> used = usedInputs(x.bucket());
        yield used.size() == x.inputs().size()
            ? x
            : new Soac.Hist(x.width(), pick(x.inputs(), used), x.ops(), ofInputs(x.bucket(), used));
      }
      case Exp.Match x -> x;
      case Exp.Loop x -> x;
      case Exp.WithAcc x -> x;
      case SegExp x -> x;
      case Exp.Apply x -> x;
      case BasicOp x -> x;
      case HostOp x -> x;
      case MemOp x -> x;
      case Soac.Stream x -> x;
      case Soac.FlatMap x -> x;
      case Soac.Jvp x -> x;
      case Soac.Vjp x -> x;
      case Soac.WithVjp x -> x;
    };
  }

  private static List<Integer> usedInputs(Lambda l) {
    Set<Name> used = FreeNames.of(l.body());
    List<Integer> positions = new ArrayList<>();
    for (int k = 0; k < l.params().size(); k++) {
      Param p = l.params().get(k);
      if (used.contains(p.name()) || p.type() instanceof Type.Acc) {
        positions.add(k);
      }
    }
    return positions;
  }

  private static Lambda ofInputs(Lambda l, List<Integer> used) {
    return new Lambda(pick(l.params(), used), l.body(), l.results());
  }

  // Histograms

  static Stm hist(Stm s, Soac.Hist x, List<Integer> keep) {
    int index = 0;
    int value = x.ops().stream().mapToInt(o -> o.shape().size()).sum();
    int at = 0;
    List<Soac.HistOp> ops = new ArrayList<>();
    List<Integer> results = new ArrayList<>();
    List<Integer> indices = new ArrayList<>();
    List<Integer> values = new ArrayList<>();
    for (Soac.HistOp o : x.ops()) {
      int n = o.dests().size();
      Set<Integer> needed = needed(o.op(), 0, within(keep, at, n));
      if (!needed.isEmpty()) {
        ops.add(
            new Soac.HistOp(
                o.shape(),
                o.raceFactor(),
                pick(o.dests(), needed),
                pick(o.neutral(), needed),
                restrict(o.op(), 0, needed)));
        for (int k = 0; k < o.shape().size(); k++) {
          indices.add(index + k);
        }
        for (int k : needed) {
          results.add(at + k);
          values.add(value + k);
        }
      }
      index += o.shape().size();
      value += n;
      at += n;
    }
    if (results.size() == s.pat().size()) {
      return s;
    }
    List<Integer> buckets = new ArrayList<>(indices);
    buckets.addAll(values);
    var smaller = new Soac.Hist(x.width(), x.inputs(), ops, pick(x.bucket(), buckets));
    return new Stm(pick(s.pat(), results), s.aux(), smaller);
  }

  // Accumulators

  /**
   * Removes dead accumulated arrays, as single components of an accumulator with live components,
   * and dead other results.
   */
  static Stm withAcc(Stm s, Exp.WithAcc w, List<Integer> keep) {
    Lambda lambda = w.lambda();
    List<Exp.AccInput> inputs = new ArrayList<>();
    List<Integer> results = new ArrayList<>();
    List<Integer> lambdaResults = new ArrayList<>();
    int at = 0;
    for (int i = 0; i < w.inputs().size(); i++) {
      Exp.AccInput in = w.inputs().get(i);
      lambdaResults.add(i);
      int n = in.arrays().size();
      List<Integer> live = within(keep, at, n);
      Exp.AccOp op = in.op();
      int rank = in.space().size();
      Set<Integer> needed = op == null ? new TreeSet<>(live) : needed(op.lambda(), rank, live);
      if (needed.isEmpty()) {
        for (int k = 0; k < n; k++) {
          needed.add(k);
        }
      }
      for (int k : needed) {
        results.add(at + k);
      }
      if (needed.size() < n) {
        lambda = new ComponentRestriction(lambda.params().get(i).name(), needed).lambda(lambda);
        Exp.AccOp smaller =
            op == null
                ? null
                : new Exp.AccOp(restrict(op.lambda(), rank, needed), pick(op.neutral(), needed));
        in = new Exp.AccInput(in.space(), pick(in.arrays(), needed), smaller);
      }
      inputs.add(in);
      at += n;
    }
    for (int k : keep) {
      if (k < at) {
        continue;
      }
      results.add(k);
      lambdaResults.add(k - at + w.inputs().size());
    }
    if (results.size() == s.pat().size()) {
      return s;
    }
    var smaller = new Exp.WithAcc(inputs, pick(lambda, lambdaResults));
    return new Stm(pick(s.pat(), results), s.aux(), smaller);
  }

  /** A mapper that restricts an accumulator to some of its components. */
  private static final class ComponentRestriction extends Mapper {
    private final Name token;
    private final Set<Integer> components;
    private final Set<Name> accumulators = new HashSet<>();

    ComponentRestriction(Name token, Set<Integer> components) {
      this.token = token;
      this.components = components;
    }

    @Override
    public Type type(Type t) {
      return t instanceof Type.Acc a && a.token().equals(token)
          ? new Type.Acc(token, a.space(), pick(a.elems(), components))
          : t;
    }

    @Override
    public Param param(Param p) {
      note(p.name(), p.type());
      return super.param(p);
    }

    @Override
    public PatElem patElem(PatElem p) {
      note(p.name(), p.type());
      return super.patElem(p);
    }

    private void note(Name name, Type t) {
      if (t instanceof Type.Acc a && a.token().equals(token)) {
        accumulators.add(name);
      }
    }

    @Override
    public Exp exp(Exp e) {
      return e instanceof BasicOp.UpdateAcc u && accumulators.contains(u.acc())
          ? new BasicOp.UpdateAcc(u.inRange(), u.acc(), u.index(), pick(u.values(), components))
          : super.exp(e);
    }
  }
}
