package futharkc.pass.allocate;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An analysis of new arrays that may be constructed at the destination of a later copy.
 *
 * <p>In {@code let row = iota(m) ... let b = a with [i, :] = row}, the row may be constructed in
 * the memory of {@code a[i, :]} under three conditions. No statement from the definition of the row
 * up to the update uses {@code a}. No statement after the update uses the row. The array {@code a},
 * the slice and its checks are defined before the row.
 */
final class Destinations {
  private final Roots roots;
  private final Aliases aliases;

  Destinations(Roots roots, Aliases aliases) {
    this.roots = roots;
    this.aliases = aliases;
  }

  /**
   * Returns the new array that is a result of a statement list, directly or after in-place updates,
   * if it can be constructed in other memory; else null.
   */
  @Nullable Name freshResult(List<Stm> stms, SubExp result) {
    if (!(result instanceof SubExp.Var v)) {
      return null;
    }
    Name root = roots.of(v.name());
    for (Stm s : stms) {
      if (s.names().contains(root)) {
        return isFresh(s, root) ? root : null;
      }
    }
    return null;
  }

  /**
   * Returns the updates of a statement list whose value may be constructed in place, keyed by the
   * value's new array.
   */
  Map<Name, Stm> updates(List<Stm> stms, List<SubExp> results) {
    Map<Name, Stm> found = new HashMap<>();
    Map<Name, Integer> definedAt = new HashMap<>();
    ArrayUses mentions = null;
    for (int q = 0; q < stms.size(); q++) {
      for (Name n : stms.get(q).names()) {
        definedAt.put(n, q);
      }
      if (!(stms.get(q).exp() instanceof BasicOp.Update u)
          || u.safe()
          || !(u.value() instanceof SubExp.Var v)
          || !(stms.get(q).pat().get(0).type() instanceof Type.Array)
          || u.slice().isElement()) {
        continue;
      }
      Name root = roots.of(v.name());
      Integer p = definedAt.get(root);
      if (p == null || !isFresh(stms.get(p), root)) {
        continue;
      }
      if (!knownBefore(p, stms.get(q), u, definedAt)) {
        continue;
      }
      if (mentions == null) {
        mentions = new ArrayUses(stms, results, aliases);
      }
      if (mentions.between(p, q, u.array()) || mentions.after(q, root)) {
        continue;
      }
      found.put(root, stms.get(q));
    }
    return found;
  }

  /** Tests whether the destination and its checks are defined before a position. */
  private static boolean knownBefore(int p, Stm s, BasicOp.Update u, Map<Name, Integer> definedAt) {
    Set<Name> needed = new HashSet<>(FreeNames.of(u));
    needed.addAll(s.aux().certs());
    if (u.value() instanceof SubExp.Var v) {
      needed.remove(v.name());
    }
    for (Name n : needed) {
      Integer at = definedAt.get(n);
      if (at != null && at >= p) {
        return false;
      }
    }
    return true;
  }

  /** Tests whether a statement constructs the array in a memory block of the pass's choice. */
  private boolean isFresh(Stm s, Name array) {
    return switch (s.exp()) {
      case BasicOp.Scratch x -> true;
      case BasicOp.Iota x -> true;
      case BasicOp.Replicate x -> true;
      case BasicOp.Concat x -> true;
      case BasicOp.ArrayLit x -> true;
      case BasicOp.ArrayVal x -> true;
      case SegExp.Seg p -> !(p.op() instanceof SegOp.SegHist);
      case SegExp.ParOp p -> !(p.op() instanceof SegOp.SegHist);
      case Exp.Match m -> {
        int k = s.names().indexOf(array);
        boolean all = freshResult(m.otherwise().stms(), m.otherwise().results().get(k)) != null;
        for (Exp.Case c : m.cases()) {
          all &= freshResult(c.body().stms(), c.body().results().get(k)) != null;
        }
        yield all;
      }
      default -> false;
    };
  }
}
