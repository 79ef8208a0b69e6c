package futharkc.core.ir.analysis;

import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which names a name's value is computed from: those that its statement mentions (certificates,
 * sizes and free names of nested bodies included), and so on. Parameters depend on nothing; a name
 * bound inside a nested body depends on what its own statement mentions, not on what decides
 * whether the body runs.
 */
public final class Dependencies {
  /** As an analysis. */
  public static final Analysis<Dependencies> ANALYSIS = new OfFunction();

  private final Map<Name, Set<Name>> direct;

  private Dependencies(Map<Name, Set<Name>> direct) {
    this.direct = direct;
  }

  private record OfFunction() implements Analysis<Dependencies> {
    @Override
    public String name() {
      return "dependencies";
    }

    @Override
    public Dependencies compute(FunDef f, AnalysisCache cache) {
      return of(f);
    }
  }

  /** Of all names bound by statements of a function. */
  public static Dependencies of(FunDef f) {
    Map<Name, Set<Name>> direct = new HashMap<>();
    new Mapper() {
      @Override
      public Stm stm(Stm s) {
        Set<Name> mentioned = FreeNames.of(s);
        for (Name n : s.names()) direct.put(n, mentioned);
        return super.stm(s);
      }
    }.body(f.body());
    return new Dependencies(direct);
  }

  /** The names that a name's statement mentions. */
  public Set<Name> direct(Name n) {
    return direct.getOrDefault(n, Set.of());
  }

  /** All names that the value of a name is computed from, without itself. */
  public Set<Name> all(Name n) {
    Set<Name> found = new HashSet<>();
    Deque<Name> work = new ArrayDeque<>(direct(n));
    while (!work.isEmpty()) {
      Name d = work.pop();
      if (found.add(d)) work.addAll(direct(d));
    }
    return found;
  }

  /** Whether a name's value is computed from another's. */
  public boolean dependsOn(Name n, Name on) {
    return all(n).contains(on);
  }
}
