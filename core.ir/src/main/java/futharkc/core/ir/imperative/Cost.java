package futharkc.core.ir.imperative;

import futharkc.core.ir.Machine;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A traversal that estimates the elementary operations of code, by the costs of a {@link
 * CostModel}.
 */
final class Cost {
  private final Set<Name> inner = new HashSet<>();

  private final Machine.Operations operations;
  private final Machine.Events events;

  /** True after a trip count has been guessed. */
  private boolean guessed;

  /** Makes an estimate in which all outer variables are known. */
  Cost(CostModel model) {
    this.operations = model.operations();
    this.events = model.events();
  }

  /** Tests whether a trip count has been guessed. */
  boolean hasGuessed() {
    return guessed;
  }

  /**
   * Returns the estimated number of times that statements of a kind are executed.
   *
   * @param which tests whether a statement counts
   */
  Poly runs(List<Code> code, Predicate<Code> which) {
    Poly sum = Poly.ZERO;
    for (Code c : code) {
      if (which.test(c)) {
        sum = sum.plus(Poly.ONE);
      }
      Variables.declaredBy(c).forEach(v -> inner.add(v.name()));
      sum =
          sum.plus(
              switch (c) {
                case Code.For f -> {
                  inner.add(f.index());
                  yield runs(f.body(), which).times(trips(f));
                }
                case Code.If i -> {
                  Poly a = runs(i.then(), which);
                  Poly b = runs(i.otherwise(), which);
                  yield weight(a) >= weight(b) ? a : b;
                }
                case Code.While w -> runs(w.body(), which).times(CostModel.UNKNOWN_TRIPS);
                case Code.Compound x -> {
                  Poly all = Poly.ZERO;
                  for (List<Code> body : x.bodies()) {
                    all = all.plus(runs(body, which));
                  }
                  yield all;
                }
                case Code.Simple _ -> Poly.ZERO;
              });
    }
    return sum;
  }

  /** Replaces unknown variables by guesses in a cost. */
  Poly outside(Poly cost) {
    return cost.substitute(n -> inner.contains(n) ? Poly.of(CostModel.UNKNOWN_TRIPS) : Poly.of(n));
  }

  /** Returns a number of iterations with guesses for unknown variables. */
  Poly count(Expr iterations) {
    Poly p = iterations.poly();
    return p == null ? Poly.of(CostModel.UNKNOWN_TRIPS) : outside(p);
  }

  /** Returns the trip count of a loop. */
  Poly trips(Code.For f) {
    Poly from = poly(f.from());
    Poly to = poly(f.to());
    if (from != null && to != null) {
      return to.minus(from);
    }
    guessed = true;
    return Poly.of(CostModel.UNKNOWN_TRIPS);
  }

  /** Returns the trip count assumed for a loop without a known bound. */
  Poly unknownTrips() {
    return Poly.of(CostModel.UNKNOWN_TRIPS);
  }

  /** Marks a variable as unknown before the code runs. */
  void declare(Name n) {
    inner.add(n);
  }

  /** Returns the cost of statements. */
  Poly all(List<Code> code) {
    Poly sum = Poly.ZERO;
    for (Code c : code) {
      sum = sum.plus(one(c));
    }
    return sum;
  }

  /** Returns the cost of a statement and marks the variables that it declares as unknown. */
  Poly one(Code code) {
    return switch (code) {
      case Code.Declare d -> {
        inner.add(d.name());
        yield d.value() == null ? Poly.ZERO : expr(d.value());
      }
      case Code.Assign a -> expr(a.value());
      case Code.Store s -> expr(s.value()).plus(Poly.ONE);
      case Code.CopyRun c -> times(c.count(), 1).plus(Poly.of(events.run()));
      case Code.MapRun m ->
          times(m.count(), operations.shortFunction()).plus(Poly.of(events.run()));
      case Code.FillRun f -> times(f.count(), 1).plus(Poly.of(events.run()));
      case Code.If i -> {
        Poly a = all(i.then());
        Poly b = all(i.otherwise());
        yield expr(i.cond()).plus(weight(a) >= weight(b) ? a : b);
      }
      case Code.IfUnused i -> all(i.then()).plus(Poly.of(2));
      case Code.For f -> {
        inner.add(f.index());
        yield all(f.body()).plus(Poly.ONE).times(trips(f));
      }
      case Code.While w -> {
        guessed = true;
        yield all(w.body()).times(CostModel.UNKNOWN_TRIPS);
      }
      case Code.VectorLoop l -> {
        inner.add(l.done());
        yield all(l.rest());
      }
      case Code.DeclareLanes d -> {
        inner.add(d.name());
        yield d.value() == null ? Poly.ZERO : expr(d.value());
      }
      case Code.AssignLanes a -> expr(a.value());
      case Code.StoreLanes s -> expr(s.value()).plus(Poly.ONE);
      case Code.AnyLane a -> Poly.ONE;
      case Code.Scope s -> all(s.body());
      case Code.Outlined o -> all(o.body());
      case Code.Call c -> {
        c.targets().forEach(t -> inner.add(t.name()));
        yield Poly.of(events.call());
      }
      case Code.Reserve r -> Poly.of(2);
      case Code.Alloc a -> Poly.of(events.block());
      case Code.Free f -> Poly.of(events.block());
      case Code.Locked l -> all(l.body()).plus(Poly.of(events.lock()));
      case Code.Parallel p -> all(p.body()).times(CostModel.UNKNOWN_TRIPS);
      case Code.ChainedScan s -> all(s.scan()).times(CostModel.UNKNOWN_TRIPS);
      case Code.ChunkCount c -> {
        inner.add(c.chunks());
        yield Poly.ZERO;
      }
      case Code.RegionTime r -> {
        inner.add(r.time());
        yield Poly.ZERO;
      }
      case Code.ThreadCount c -> {
        inner.add(c.threads());
        yield Poly.ZERO;
      }
      case Code.Assert a -> expr(a.cond());
      case Code.DeclareBlock d -> Poly.ZERO;
      case Code.SetBlock s -> Poly.ZERO;
      case Code.DeclareScratch s -> Poly.ZERO;
      case Code.ConstantBlock c -> Poly.ZERO;
      case Code.Pin p -> Poly.ZERO;
      case Code.CheckCancelled c -> Poly.ONE;
      case Code.Trace t -> Poly.of(events.block());
      case Code.Launch l -> all(l.body()).times(CostModel.UNKNOWN_TRIPS);
      case Code.AskElement a -> {
        inner.add(a.request());
        yield Poly.of(events.call());
      }
      case Code.AwaitElements r -> {
        r.elements().forEach(e -> inner.add(e.target()));
        yield Poly.of(events.block());
      }
      case Code.WriteElement w -> Poly.of(events.call());
      case Code.OnCopies c -> all(c.body()).plus(Poly.of(events.block()));
      case Code.GetSize g -> known(g.target());
      case Code.GetSizeMax g -> known(g.target());
      case Code.CompareSize c -> known(c.target());
      case Code.Private p -> Poly.ZERO;
      case Code.DeclarePointer d -> Poly.ZERO;
      case Code.Barrier b -> Poly.of(events.lock());
      case Code.Fence f -> Poly.of(events.lock());
      case Code.Shuffle s -> {
        inner.add(s.target());
        yield Poly.of(2);
      }
      case Code.SineAndCosine s -> {
        inner.addAll(List.of(s.sine(), s.cosine()));
        yield expr(s.operand()).plus(Poly.of(operations.function()));
      }
      case Code.Atomic a -> {
        inner.add(a.old());
        yield expr(a.operand()).plus(Poly.of(events.lock()));
      }
      case Code.CompareAndSet c -> {
        inner.add(c.old());
        yield expr(c.expected()).plus(expr(c.value())).plus(Poly.of(events.lock()));
      }
      case Code.VolatileLoad l -> {
        inner.add(l.target());
        yield Poly.of(2);
      }
      case Code.VolatileStore s -> expr(s.value()).plus(Poly.ONE);
      case Code.Strided s -> {
        inner.add(s.index());
        yield all(s.body()).plus(Poly.ONE).times(CostModel.UNKNOWN_TRIPS);
      }
      case Code.Attempt a -> all(a.body());
      case Code.LeaveIfFailed l -> Poly.of(events.lock());
    };
  }

  /** Returns the cost of declaring a scalar and marks it as unknown. */
  private Poly known(Name declared) {
    inner.add(declared);
    return Poly.ONE;
  }

  private Poly times(Expr count, int each) {
    Poly p = poly(count);
    return p == null ? Poly.of(CostModel.UNKNOWN_TRIPS * (long) each) : p.times(each);
  }

  private @org.jspecify.annotations.Nullable Poly poly(Expr e) {
    return known(e, inner);
  }

  /**
   * Returns an expression as a polynomial over known variables, or null if it is none.
   *
   * @param inner the unknown variables
   */
  static @org.jspecify.annotations.Nullable Poly known(Expr e, Set<Name> inner) {
    Poly p =
        switch (e) {
          case Expr.Const c -> Poly.of(c.value().asLong());
          case Expr.Var v -> v.type() == futharkc.core.ir.PrimType.I64 ? Poly.of(v.name()) : null;
          case Expr.Index i -> i.poly();
          case Expr.Binary _,
              Expr.Unary _,
              Expr.Compare _,
              Expr.Convert _,
              Expr.Apply _,
              Expr.Load _,
              Expr.Capacity _,
              Expr.Tuning _ ->
              null;
        };
    if (p == null) {
      return null;
    }
    for (Poly.Product t : p.terms().keySet()) {
      for (Name n : t.factors()) {
        if (inner.contains(n)) {
          return null;
        }
      }
    }
    return p;
  }

  /** Returns a weight for comparing costs, with every size assumed to be 1000. */
  private static double weight(Poly p) {
    double sum = 0;
    for (var e : p.terms().entrySet()) {
      sum += e.getValue() * Math.pow(1000, e.getKey().factors().size());
    }
    return sum;
  }

  private Poly expr(Expr e) {
    return Poly.of(operations(e));
  }

  private long operations(Expr e) {
    return switch (e) {
      case Expr.Const c -> 0;
      case Expr.Var v -> 0;
      case Expr.Index i -> 1;
      case Expr.Binary b ->
          operations(b.left())
              + operations(b.right())
              + switch (b.op().kind()) {
                case FPOW, FMOD -> operations.power();
                case UDIV, UDIV_UP, SDIV, SDIV_UP, UMOD, SMOD, SQUOT, SREM, POW ->
                    operations.division();
                case FDIV -> operations.floatDivision();
                default -> 1;
              };
      case Expr.Unary u -> operations(u.operand()) + 1;
      case Expr.Compare c -> operations(c.left()) + operations(c.right()) + 1;
      case Expr.Convert c -> operations(c.operand()) + 1;
      case Expr.Apply a -> {
        long sum =
            switch (a.fun().kind()) {
              case SQRT,
                  FLOOR,
                  CEIL,
                  ROUND,
                  ISNAN,
                  ISINF,
                  LERP,
                  MAD,
                  FMA,
                  TO_BITS,
                  FROM_BITS,
                  POPC,
                  CLZ,
                  CTZ,
                  SMUL_HI,
                  UMUL_HI,
                  SMAD_HI,
                  UMAD_HI,
                  COPYSIGN ->
                  operations.shortFunction();
              default -> operations.function();
            };
        for (Expr arg : a.args()) {
          sum += operations(arg);
        }
        yield sum;
      }
      case Expr.Load l -> operations.load();
      case Expr.Capacity c -> 1;
      case Expr.Tuning t -> 1;
    };
  }
}
