package futharkc.core.ir.imperative;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A cost model for the time of code on several threads, in elementary operations. Code outside
 * parallel regions costs its sequential time. A region costs the time of the thread with the most
 * iterations plus the overhead of distributing work. A region with little work uses fewer threads.
 *
 * <p>Programs compare the times of versions at run time, when sizes are known. A time is a
 * polynomial over values known before the code runs, with guesses for values that the code
 * declares, as in {@link Cost}.
 */
public final class ParallelTime {
  private final Cost cost;
  private final NameSource names;
  private final List<Code> out;

  /** The cost of an iteration, keyed by the variable for the chunk count of its region. */
  private final Map<Name, Poly> iterations = new HashMap<>();

  private ParallelTime(NameSource names, CostModel model, List<Code> out) {
    this.cost = new Cost(model);
    this.names = names;
    this.out = out;
  }

  /**
   * The time of code and the number of parallel regions that it executes.
   *
   * @param operations the time in elementary operations
   * @param regions the number of regions executed; branches contribute the regions of both sides
   */
  public record Time(Poly operations, Poly regions) {}

  /**
   * Returns the time of code.
   *
   * @param out the list that receives declarations of the variables in the polynomials
   */
  static Time of(List<Code> code, NameSource names, CostModel model, List<Code> out) {
    ParallelTime time = new ParallelTime(names, model, out);
    Poly operations = time.all(code);
    return new Time(operations, time.regions(code));
  }

  private Poly regions(List<Code> code) {
    Poly sum = Poly.ZERO;
    for (Code c : code) {
      if (!hasRegions(List.of(c))) {
        continue;
      }
      sum =
          sum.plus(
              switch (c) {
                case Code.Parallel p -> Poly.of(1);
                case Code.ChainedScan s -> Poly.of(1);
                case Code.For f -> regions(f.body()).times(cost.trips(f));
                case Code.While w -> regions(w.body()).times(cost.unknownTrips());
                case Code.Compound x -> {
                  Poly inside = Poly.ZERO;
                  for (List<Code> body : x.bodies()) {
                    inside = inside.plus(regions(body));
                  }
                  yield inside;
                }
                case Code.Simple x -> Poly.ZERO;
              });
    }
    return sum;
  }

  /**
   * Returns the time of statements: regions are analysed here, sequential statements by {@link
   * Cost}.
   */
  private Poly all(List<Code> code) {
    Poly sum = Poly.ZERO;
    for (Code c : code) {
      sum = sum.plus(one(c));
    }
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
        if (!hasRegions(f.body())) {
          yield cost.one(f);
        }
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
      case Code.VectorLoop x -> cost.one(x);
      case Code.Gpu x -> cost.one(x);
    };
  }

  /**
   * Returns the time of a branch. A side with regions is assumed to be slower than a side without.
   * If both sides have regions, the program is assumed to choose the faster.
   */
  private Poly branch(Code code, List<Code> then, List<Code> otherwise) {
    boolean a = hasRegions(then);
    boolean b = hasRegions(otherwise);
    if (!a && !b) {
      return cost.one(code);
    }
    if (!a) {
      return all(otherwise);
    }
    if (!b) {
      return all(then);
    }
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
      if (has) {
        return true;
      }
    }
    return false;
  }
}
