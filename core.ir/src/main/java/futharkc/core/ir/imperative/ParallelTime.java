package futharkc.core.ir.imperative;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Target;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long code takes on several threads, roughly, in elementary operations: what is outside of
 * parallel regions takes as long as it takes; a region takes as long as the thread with the most
 * iterations, and what it costs to share out work. A region with little work runs on fewer threads,
 * at last on one.
 *
 * <p>Versions of code are compared by this at run time, where sizes are known: so the time is a
 * polynomial over what is known before the code runs. What the code declares itself is guessed, as
 * for {@link Cost}.
 */
public final class ParallelTime {
  private final Cost cost;
  private final NameSource names;
  private final List<Code> out;

  /** What an iteration costs, by the variable for the number of chunks of its region. */
  private final Map<Name, Poly> iterations = new HashMap<>();

  private ParallelTime(NameSource names, Target target, List<Code> out) {
    this.cost = new Cost(target);
    this.names = names;
    this.out = out;
  }

  /**
   * The time that code takes, and how often it runs a parallel region.
   *
   * @param operations the time
   * @param regions how many regions, one after the other; both versions' where there are two
   */
  public record Time(Poly operations, Poly regions) {}

  /**
   * The time that code takes.
   *
   * @param out where to declare what the polynomials are of
   */
  public static Time of(List<Code> code, NameSource names, Target target, List<Code> out) {
    ParallelTime time = new ParallelTime(names, target, out);
    Poly operations = time.all(code);
    return new Time(operations, time.regions(code));
  }

  private Poly regions(List<Code> code) {
    Poly sum = Poly.ZERO;
    for (Code c : code) {
      if (!hasRegions(List.of(c))) continue;
      sum =
          sum.plus(
              switch (c) {
                case Code.Parallel p -> Poly.of(1);
                case Code.ChainedScan s -> Poly.of(1);
                case Code.For f -> regions(f.body()).times(cost.trips(f));
                case Code.While w -> regions(w.body()).times(cost.unknownTrips());
                case Code.Compound x -> {
                  Poly inside = Poly.ZERO;
                  for (List<Code> body : x.bodies()) inside = inside.plus(regions(body));
                  yield inside;
                }
                case Code.Simple x -> Poly.ZERO;
              });
    }
    return sum;
  }

  /** Any code with regions is taken apart here; what is not is sequential. */
  private Poly all(List<Code> code) {
    Poly sum = Poly.ZERO;
    for (Code c : code) sum = sum.plus(one(c));
    return sum;
  }

  private Poly one(Code code) {
    return switch (code) {
      case Code.ChunkCount c -> {
        iterations.put(c.chunks(), c.cost());
        cost.declare(c.chunks());
        yield Poly.ZERO;
      }
      case Code.Parallel p -> region(p.total(), p.chunks(), false);
      case Code.ChainedScan s -> region(s.total(), s.chunks(), true);
      case Code.For f -> {
        if (!hasRegions(f.body())) yield cost.one(f);
        Poly trips = cost.trips(f);
        cost.declare(f.index());
        yield all(f.body()).times(trips);
      }
      case Code.While w ->
          hasRegions(w.body()) ? all(w.body()).times(cost.unknownTrips()) : cost.one(w);
      case Code.Scope s -> all(s.body());
      case Code.Outlined o -> all(o.body());
      case Code.If i -> branch(i, i.then(), i.otherwise());
      case Code.IfUnused i -> branch(i, i.then(), i.otherwise());
      case Code.Simple x -> cost.one(x);
      case Code.Locked x -> cost.one(x);
      case Code.Gpu x -> cost.one(x);
    };
  }

  /** What has regions takes longer; versions with regions are there for the faster to be chosen. */
  private Poly branch(Code code, List<Code> then, List<Code> otherwise) {
    boolean a = hasRegions(then);
    boolean b = hasRegions(otherwise);
    if (!a && !b) return cost.one(code);
    if (!a) return all(otherwise);
    if (!b) return all(then);
    Name faster = names.fresh("time");
    Expr first = new Expr.Index(all(then));
    Expr second = new Expr.Index(all(otherwise));
    Expr least = Expr.binary(BinOp.Kind.SMIN, first, second);
    out.add(new Code.Declare(faster, PrimType.I64, least));
    return Poly.of(faster);
  }

  private Poly region(Expr total, Expr chunks, boolean chained) {
    Poly iteration = chunks instanceof Expr.Var v ? iterations.get(v.name()) : null;
    Poly each = iteration == null ? cost.unknownTrips() : cost.outside(iteration);
    Name time = names.fresh("time");
    out.add(new Code.RegionTime(time, new Expr.Index(cost.count(total)), each, chained));
    return Poly.of(time);
  }

  private static boolean hasRegions(List<Code> code) {
    for (Code c : code) {
      boolean has =
          switch (c) {
            case Code.Parallel p -> true;
            case Code.ChainedScan s -> true;
            case Code.Locked x -> false;
            case Code.Gpu x -> false;
            case Code.Compound x -> x.bodies().stream().anyMatch(ParallelTime::hasRegions);
            case Code.Simple x -> false;
          };
      if (has) return true;
    }
    return false;
  }
}
