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
 * Which new arrays may be made where they are copied to a moment later.
 *
 * <p>In {@code let row = iota(m) ... let b = a with [i, :] = row}, the row may be made in the
 * memory of {@code a[i, :]} if nothing from the statement that makes it up to the update looks at
 * {@code a}, nothing after the update looks at the row, and {@code a} and the slice are known and
 * checked when it is made.
 */
final class Destinations {
  private final Roots roots;
  private final Aliases aliases;

  Destinations(Roots roots, Aliases aliases) {
    this.roots = roots;
    this.aliases = aliases;
  }

  /**
   * The new array that a result of a statement list is, updated in place or not, if it could be
   * made elsewhere; else null.
   */
  @Nullable Name freshResult(List<Stm> stms, SubExp result) {
    if (!(result instanceof SubExp.Var v)) return null;
    Name root = roots.of(v.name());
    for (Stm s : stms) {
      if (s.names().contains(root)) return isFresh(s, root) ? root : null;
    }
    return null;
  }

  /**
   * The updates of a statement list whose value may be made in place, by the new array that the
   * value is.
   */
  Map<Name, Stm> updates(List<Stm> stms, List<SubExp> results) {
    Map<Name, Stm> found = new HashMap<>();
    Map<Name, Integer> definedAt = new HashMap<>();
    Mentions mentions = null;
    for (int q = 0; q < stms.size(); q++) {
      for (Name n : stms.get(q).names()) definedAt.put(n, q);
      if (!(stms.get(q).exp() instanceof BasicOp.Update u)
          || u.safe()
          || !(u.value() instanceof SubExp.Var v)
          || !(stms.get(q).pat().get(0).type() instanceof Type.Array)
          || u.slice().isElement()) {
        continue;
      }
      Name root = roots.of(v.name());
      Integer p = definedAt.get(root);
      if (p == null || !isFresh(stms.get(p), root)) continue;
      if (!knownBefore(p, stms.get(q), u, definedAt)) continue;
      if (mentions == null) mentions = new Mentions(stms, results, aliases);
      if (mentions.between(p, q, u.array()) || mentions.after(q, root)) continue;
      found.put(root, stms.get(q));
    }
    return found;
  }

  /** The place, and that it is one. */
  private static boolean knownBefore(int p, Stm s, BasicOp.Update u, Map<Name, Integer> definedAt) {
    Set<Name> needed = new HashSet<>(FreeNames.of(u));
    needed.addAll(s.aux().certs());
    if (u.value() instanceof SubExp.Var v) needed.remove(v.name());
    for (Name n : needed) {
      Integer at = definedAt.get(n);
      if (at != null && at >= p) return false;
    }
    return true;
  }

  /** Whether the statement makes the array, in whatever memory it is told to. */
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
