package futharkc.core.ir.analysis;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * For each statement, the arrays (and other variables) that are not used after it, neither by their
 * own names nor by those of arrays that share elements with them. What a branch uses last is told
 * of the statement inside, and of the branch as a whole; inside a body that may run many times only
 * names bound in that body are used last.
 */
public final class LastUses {
  /** As an analysis. */
  public static final Analysis<LastUses> ANALYSIS = new OfFunction();

  private final Map<Name, Set<Name>> byStatement;

  private LastUses(Map<Name, Set<Name>> byStatement) {
    this.byStatement = byStatement;
  }

  private record OfFunction() implements Analysis<LastUses> {
    @Override
    public String name() {
      return "last uses";
    }

    @Override
    public LastUses compute(FunDef f, AnalysisCache cache) {
      Walk w = new Walk(cache.get(f, Aliases.ANALYSIS));
      w.stms(f.body().stms(), new HashSet<>(), w.rootsOf(f.body().results()));
      return new LastUses(w.byStatement);
    }
  }

  /** The names used last by a statement; none for one without results. */
  public Set<Name> in(Stm s) {
    return s.pat().isEmpty() ? Set.of() : byStatement.getOrDefault(s.pat().get(0).name(), Set.of());
  }

  /** Goes through bodies backwards. Live are the roots that are used later. */
  private static final class Walk {
    final Map<Name, Set<Name>> byStatement = new HashMap<>();
    private final Aliases aliases;

    Walk(Aliases aliases) {
      this.aliases = aliases;
    }

    Set<Name> rootsOf(List<SubExp> es) {
      Set<Name> roots = new HashSet<>();
      for (SubExp e : es) if (e instanceof SubExp.Var v) roots.addAll(aliases.roots(v.name()));
      return roots;
    }

    /**
     * Statements of a body.
     *
     * @param outside the roots used after the body, or in its next run
     * @param results the roots of the body's results
     */
    void stms(List<Stm> stms, Set<Name> outside, Set<Name> results) {
      Set<Name> live = new HashSet<>(outside);
      live.addAll(results);
      for (int i = stms.size() - 1; i >= 0; i--) {
        Stm s = stms.get(i);
        Set<Name> mentioned = FreeNames.of(s);
        Set<Name> last = new LinkedHashSet<>();
        for (Name n : mentioned) {
          if (Collections.disjoint(aliases.roots(n), live)) last.add(n);
        }
        inside(s, live);
        if (!s.pat().isEmpty()) byStatement.put(s.pat().get(0).name(), Set.copyOf(last));
        for (Name n : mentioned) live.addAll(aliases.roots(n));
      }
    }

    private void inside(Stm s, Set<Name> live) {
      if (s.exp() instanceof Exp.Match m) {
        for (Exp.Case c : m.cases()) body(c.body(), live);
        body(m.otherwise(), live);
      } else {
        new Repeated(live, FreeNames.of(s)).exp(s.exp());
      }
    }

    private void body(Body b, Set<Name> outside) {
      stms(b.stms(), outside, rootsOf(b.results()));
    }

    /** Finds the outermost bodies of a statement that is not a branch. */
    private final class Repeated extends Mapper {
      private final Set<Name> outside;

      Repeated(Set<Name> live, Set<Name> free) {
        this.outside = new HashSet<>(live);
        for (Name n : free) outside.addAll(aliases.roots(n));
      }

      @Override
      public Lambda lambda(Lambda l) {
        Walk.this.body(l.body(), outside);
        return l;
      }

      @Override
      public SegBody segBody(SegBody b) {
        Set<Name> results = new HashSet<>();
        b.results().forEach(r -> results.addAll(rootsOf(List.of(r.value()))));
        Walk.this.stms(b.stms(), outside, results);
        return b;
      }

      @Override
      public Body body(Body b) {
        Walk.this.body(b, outside);
        return b;
      }
    }
  }
}
