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
 * What branches keep for their return sweeps: further results, of which each branch gives those of
 * its own, and for those of the others a zero, or an array of size zero.
 */
final class Kept {
  private final List<PatElem> pat;
  private final List<Body> forward = new ArrayList<>();
  private final List<Map<Name, Name>> names = new ArrayList<>();
  private final boolean any;

  /**
   * @param s the statement of the branches
   * @param branches the branches of the forward sweep
   * @param cuts what the return sweep needs of each
   * @param at in whose scope all that is
   */
  Kept(Stm s, List<Body> branches, List<Cut> cuts, Emitter at) {
    pat = new ArrayList<>(s.pat());
    List<List<SubExp>> more = new ArrayList<>();
    for (int i = 0; i < branches.size(); i++) more.add(new ArrayList<>());
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

  /** With the sizes in their types that are computed in the branch. */
  private static Set<Name> withSizes(List<Name> saved, Body branch, Emitter at) {
    Set<Name> bound = new HashSet<>();
    for (Stm s : branch.stms()) bound.addAll(s.names());
    Set<Name> all = new LinkedHashSet<>();
    for (Name n : saved) {
      for (Name size : FreeNames.of(at.type(n))) if (bound.contains(size)) all.add(size);
      all.add(n);
    }
    return all;
  }

  /** A value for what a branch does not have; sizes that are kept are zero. */
  private static SubExp blank(Emitter e, Type t, Map<Name, Name> kept) {
    Map<Name, SubExp> zero = new HashMap<>();
    for (Name size : FreeNames.of(t)) {
      if (kept.containsValue(size)) zero.put(size, SubExp.i64(0));
    }
    return Arithmetic.zeros(e, new Substitution(zero).type(t));
  }

  boolean isAny() {
    return any;
  }

  /** The pattern with further results. */
  List<PatElem> pat() {
    return pat;
  }

  /** The branches with further results. */
  List<Body> forward() {
    return forward;
  }

  /** For what a branch keeps, under which name it is known outside. */
  Map<Name, Name> names(int branch) {
    return names.get(branch);
  }
}
