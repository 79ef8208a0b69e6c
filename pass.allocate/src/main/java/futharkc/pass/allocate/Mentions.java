package futharkc.pass.allocate;

import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.NameSets;
import java.util.List;

/**
 * Which statements of a body mention, at any depth, what may share elements with an array. The
 * body's results count as one more statement after the last.
 */
final class Mentions {
  private final Aliases aliases;
  private final NameSets roots;

  Mentions(List<Stm> stms, List<SubExp> results, Aliases aliases) {
    this.aliases = aliases;
    this.roots = new NameSets(stms.size() + 1);
    var noting =
        new Mapper() {
          private NameSet mentioned = NameSet.of();

          @Override
          public Name name(Name use) {
            mentioned = mentioned.union(aliases.roots(use));
            return use;
          }

          private void note(int at) {
            roots.add(at, mentioned);
            mentioned = NameSet.of();
          }
        };
    for (int at = 0; at < stms.size(); at++) {
      noting.stm(stms.get(at));
      noting.note(at);
    }
    noting.subExps(results);
    noting.note(stms.size());
  }

  /** Whether one of the statements from a position up to before another does. */
  boolean between(int from, int end, Name array) {
    return roots.meet(aliases.roots(array), from, end);
  }

  /** Whether a statement after the one at a position does, or the results. */
  boolean after(int at, Name array) {
    return between(at + 1, Integer.MAX_VALUE, array);
  }
}
