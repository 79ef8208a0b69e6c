package futharkc.core.ir.imperative;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A model that estimates the number of updates under locks in code, as a polynomial over sizes
 * known before the code runs. A loop with an unknown trip count counts once, so the estimate is a
 * lower bound there.
 */
public final class Updates {
  private final Set<Name> inner = new HashSet<>();

  private Updates() {}

  /**
   * Returns the number of updates in code.
   *
   * @param unknown the names, besides those that the code declares, that are unknown before the
   *     code runs
   */
  public static Poly of(List<Code> code, Set<Name> unknown) {
    Updates u = new Updates();
    u.inner.addAll(unknown);
    return u.all(code);
  }

  private Poly all(List<Code> code) {
    Poly sum = Poly.ZERO;
    for (Code c : code) {
      sum = sum.plus(one(c));
    }
    return sum;
  }

  private Poly one(Code code) {
    return switch (code) {
      case Code.Locked l -> Poly.ONE;
      case Code.For f -> {
        inner.add(f.index());
        Poly body = all(f.body());
        Poly from = Cost.known(f.from(), inner);
        Poly to = Cost.known(f.to(), inner);
        yield from == null || to == null ? body : body.times(to.minus(from));
      }
      case Code.If i -> all(i.then()).plus(all(i.otherwise()));
      case Code.IfUnused i -> all(i.then()).plus(all(i.otherwise()));
      case Code.While w -> all(w.body());
      case Code.Scope s -> all(s.body());
      case Code.Outlined o -> all(o.body());
      case Code.Declare d -> {
        inner.add(d.name());
        yield Poly.ZERO;
      }
      case Code.Call c -> {
        c.targets().forEach(t -> inner.add(t.name()));
        yield Poly.ZERO;
      }
      case Code.Assign _,
          Code.Store _,
          Code.CopyRun _,
          Code.FillRun _,
          Code.MapRun _,
          Code.Reserve _,
          Code.Alloc _,
          Code.Free _,
          Code.Parallel _,
          Code.ChainedScan _,
          Code.ChunkCount _,
          Code.RegionTime _,
          Code.ThreadCount _,
          Code.Assert _,
          Code.DeclareBlock _,
          Code.SetBlock _,
          Code.DeclareScratch _,
          Code.ConstantBlock _,
          Code.Pin _,
          Code.CheckCancelled _,
          Code.Trace _,
          Code.Vector _,
          Code.Gpu _ ->
          Poly.ZERO;
    };
  }
}
