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
 * An index of the statements in a body that use an array or an alias of it, at any depth. The
 * results of the body count as a statement after the last one.
 */
final class ArrayUses {
  private final Aliases aliases;
  private final NameSets roots;

  ArrayUses(List<Stm> stms, List<SubExp> results, Aliases aliases) {
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

  /**
   * Tests whether one of the statements from a position up to, but excluding, another position uses
   * the array.
   */
  boolean between(int from, int end, Name array) {
    return roots.meet(aliases.roots(array), from, end);
  }

  /** Tests whether a statement after a position, or a result, uses the array. */
  boolean after(int at, Name array) {
    return between(at + 1, Integer.MAX_VALUE, array);
  }
}
