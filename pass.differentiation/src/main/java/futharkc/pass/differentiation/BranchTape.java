package futharkc.pass.differentiation;

import futharkc.core.ir.Aux;
import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The values that branches save for their return sweeps. Each branch returns its own saved values
 * as additional results. For the values of other branches it returns zero or an array of size zero.
 */
final class BranchTape {
  private final List<PatElem> pat;
  private final List<Body> forward = new ArrayList<>();
  private final List<Map<Name, Name>> names = new ArrayList<>();
  private final boolean any;

  /**
   * Creates the results.
   *
   * @param s the statement of the branches
   * @param branches the branches of the forward sweep
   * @param cuts for each branch, the values that its return sweep needs
   * @param at the scope of the statement
   */
  BranchTape(Stm s, List<Body> branches, List<RecomputationPlan> cuts, Emitter at) {
    pat = new ArrayList<>(s.pat());
    List<List<SubExp>> more = new ArrayList<>();
    for (int i = 0; i < branches.size(); i++) {
      more.add(new ArrayList<>());
    }
    List<Emitter> blanks =
        branches.stream().map(b -> at.inner().at(Aux.at(s.aux().loc()))).toList();
    for (int i = 0; i < branches.size(); i++) {
      Map<Name, Name> mine = new HashMap<>();
      Map<Name, SubExp> outside = new HashMap<>();
      for (Name n : withSizes(cuts.get(i).saved(), branches.get(i), at)) {
        Type t = new Substitution(outside).type(at.type(n));
        Name result = at.names().fresh(n);
        pat.add(new PatElem(result, t));
        at.scope().add(result, t);
        mine.put(n, result);
        outside.put(n, SubExp.of(result));
        for (int j = 0; j < branches.size(); j++) {
          more.get(j).add(j == i ? SubExp.of(n) : blank(blanks.get(j), t, mine));
        }
      }
      names.add(mine);
    }
    any = pat.size() > s.pat().size();
    for (int i = 0; i < branches.size(); i++) {
      Body b = branches.get(i);
      List<Stm> stms = new ArrayList<>(b.stms());
      stms.addAll(blanks.get(i).stms());
      List<SubExp> results = new ArrayList<>(b.results());
      results.addAll(more.get(i));
      forward.add(new Body(stms, results));
    }
  }

  /** Returns the saved names, each preceded by the sizes in its type that the branch computes. */
  private static Set<Name> withSizes(List<Name> saved, Body branch, Emitter at) {
    Set<Name> bound = new HashSet<>();
    for (Stm s : branch.stms()) {
      bound.addAll(s.names());
    }
    Set<Name> all = new LinkedHashSet<>();
    for (Name n : saved) {
      for (Name size : FreeNames.of(at.type(n))) {
        if (bound.contains(size)) {
          all.add(size);
        }
      }
      all.add(n);
    }
    return all;
  }

  /**
   * Returns a placeholder for a value that a branch does not compute; saved sizes are zero in it.
   */
  private static SubExp blank(Emitter e, Type t, Map<Name, Name> kept) {
    Map<Name, SubExp> zero = new HashMap<>();
    for (Name size : FreeNames.of(t)) {
      if (kept.containsValue(size)) {
        zero.put(size, SubExp.i64(0));
      }
    }
    return Arithmetic.zeros(e, new Substitution(zero).type(t));
  }

  boolean isAny() {
    return any;
  }

  /** Returns the pattern with the additional results. */
  List<PatElem> pat() {
    return pat;
  }

  /** Returns the branches with the additional results. */
  List<Body> forward() {
    return forward;
  }

  /** Returns, for each name that a branch saves, its name outside the branches. */
  Map<Name, Name> names(int branch) {
    return names.get(branch);
  }
}
