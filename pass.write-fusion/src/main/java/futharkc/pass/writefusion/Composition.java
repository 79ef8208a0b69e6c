package futharkc.pass.writefusion;

import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.soac.ScremaFusion;
import futharkc.core.ir.soac.ScremaFusion.Bound;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Composes two parallel operations into one, with the conditions that depend on these operations
 * alone.
 */
final class Composition {
  private Composition() {}

  /** Returns the obstacle to a composition that the two operations show, or null. */
  static @Nullable String obstacle(Stm first, Stm second) {
    if (!(first.exp() instanceof Soac.Screma a) || !(second.exp() instanceof Soac.Screma b)) {
      return "one is not a map, scan or reduction";
    }
    if (!a.width().equals(b.width())) {
      return "their widths, " + a.width() + " and " + b.width() + ", differ";
    }
    if (!schedule(first).equals(schedule(second))) {
      return "their attributes differ";
    }
    Set<Name> whole = usedAsWhole(second, b);
    for (PatElem p : first.pat()) {
      if (whole.contains(p.name())) {
        return p.name() + " is needed as a whole";
      }
    }
    for (PatElem p : first.pat().subList(0, a.reduceResults())) {
      if (b.inputs().contains(p.name())) {
        return p.name() + " is the result of a reduction";
      }
    }
    return null;
  }

  /**
   * Returns the scheduling attributes in the source, which would apply to both operations after
   * fusion.
   */
  private static List<String> schedule(Stm s) {
    return s.aux().attrs().stream().filter(a -> a.startsWith("sequential")).toList();
  }

  /** Returns all names that the operation uses, except its inputs. */
  private static Set<Name> usedAsWhole(Stm s, Soac.Screma x) {
    Set<Name> names = new LinkedHashSet<>(FreeNames.of(x.map()));
    names.addAll(FreeNames.of(x.post()));
    for (Soac.Scan o : x.scans()) {
      add(o.op(), o.neutral(), names);
    }
    for (Soac.Reduce o : x.reduces()) {
      add(o.op(), o.neutral(), names);
    }
    if (x.width() instanceof SubExp.Var v) {
      names.add(v.name());
    }
    names.addAll(s.aux().certs());
    for (PatElem p : s.pat()) {
      names.addAll(FreeNames.of(p.type()));
    }
    return names;
  }

  private static void add(Lambda op, List<SubExp> neutral, Set<Name> names) {
    names.addAll(FreeNames.of(op));
    for (SubExp e : neutral) {
      if (e instanceof SubExp.Var v) {
        names.add(v.name());
      }
    }
  }

  /**
   * Composes two operations without an {@link #obstacle}.
   *
   * @param kept a test for results of the first operation that have other uses
   * @return null if a scan or reduction of the second operation needs the result of a scan of the
   *     first
   */
  static @Nullable Stm of(
      Stm first, Stm second, Predicate<Name> kept, Aliases aliases, NameSource names) {
    Soac.Screma a = (Soac.Screma) first.exp();
    Soac.Screma b = (Soac.Screma) second.exp();
    Set<Name> stay = new HashSet<>();
    for (PatElem p : first.pat()) {
      boolean passedOn = p.type() instanceof Type.Acc && b.inputs().contains(p.name());
      if (passedOn) {
        continue;
      }
      if (p.type() instanceof Type.Acc || kept.test(p.name())) {
        stay.add(p.name());
      }
    }
    Set<Name> consumed = Consumption.ofParams(b.inputs(), b.map(), aliases);
    Bound fused =
        ScremaFusion.fuse(
            new Bound(first.pat(), a),
            new Bound(second.pat(), b),
            stay::contains,
            consumed::contains,
            names);
    return fused == null
        ? null
        : new Stm(fused.pat(), second.aux().and(first.aux()), fused.screma());
  }
}
