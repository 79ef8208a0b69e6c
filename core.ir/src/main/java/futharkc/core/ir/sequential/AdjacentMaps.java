package futharkc.core.ir.sequential;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Vertical fusion of two maps if the second directly follows the first and takes its scalar results
 * elementwise. Scans with operators on rows contain such maps: the body makes a row, the operator
 * maps over that row and the previous one, and another map uses the result. A single loop needs no
 * memory for the intermediate rows.
 *
 * <pre>{@code
 * let es = map f xs                    let bs, cs = map (\x a -> let e = f x
 * let bs = map (*) as es         =>                              let b = a * e
 * let cs = map g bs                                              in (b, g b)) xs as
 * }</pre>
 *
 * <p>Fusion requires equal widths, no consumption and no accumulators. The second map must use the
 * first's results only as inputs.
 */
final class AdjacentMaps {
  private AdjacentMaps() {}

  /** The fused statements, and the replacements of eliminated names. */
  record Fused(List<Stm> stms, Substitution now) {}

  /**
   * Fuses adjacent maps.
   *
   * @param used the operands that are used after the statements
   */
  static Fused fuse(List<Stm> stms, List<SubExp> used) {
    Map<Name, SubExp> gone = new HashMap<>();
    List<Stm> all = new ArrayList<>();
    for (Stm s : stms) {
      Stm now = new Substitution(gone).stm(s);
      if (isName(now)) {
        gone.put(now.pat().get(0).name(), ((BasicOp.SubExpOp) now.exp()).value());
      } else {
        all.add(now);
      }
    }
    Substitution now = new Substitution(gone);
    Set<Name> outside = new HashSet<>();
    for (SubExp e : used) {
      if (now.subExp(e) instanceof SubExp.Var v) {
        outside.add(v.name());
      }
    }
    FreeNamesOfStms free = new FreeNamesOfStms();
    // For each name, the number of statements after the current pair that use the name.
    Map<Name, Integer> later = new HashMap<>();
    for (Stm s : all.subList(Math.min(2, all.size()), all.size())) {
      for (Name n : free.of(s)) {
        later.merge(n, 1, Integer::sum);
      }
    }
    for (int k = 0; k + 1 < all.size(); ) {
      Stm both =
          fuse(
              all.get(k), all.get(k + 1), n -> outside.contains(n) || later.getOrDefault(n, 0) > 0);
      if (k + 2 < all.size()) {
        for (Name n : free.of(all.get(k + 2))) {
          later.merge(n, -1, Integer::sum);
        }
      }
      if (both == null) {
        k++;
      } else {
        all.set(k, both);
        all.remove(k + 1);
      }
    }
    return new Fused(all, now);
  }

  private static boolean isName(Stm s) {
    return s.exp() instanceof BasicOp.SubExpOp && s.aux().certs().isEmpty();
  }

  private static @Nullable Stm fuse(Stm first, Stm second, Predicate<Name> wanted) {
    if (!(first.exp() instanceof Soac.Screma a) || !(second.exp() instanceof Soac.Screma b)) {
      return null;
    }
    Set<Name> given = new HashSet<>(first.names());
    if (!isPlain(a) || !isPlain(b) || !a.width().equals(b.width())) {
      return null;
    }
    if (!a.map().results().stream().allMatch(t -> t instanceof Type.Prim)) {
      return null;
    }
    if (Collections.disjoint(b.inputs(), given)) {
      return null;
    }
    if (!Collections.disjoint(FreeNames.of(b.map()), given)) {
      return null;
    }
    if (!Collections.disjoint(second.aux().certs(), given)) {
      return null;
    }
    List<Name> inputs = new ArrayList<>(a.inputs());
    List<Param> params = new ArrayList<>(a.map().params());
    List<Stm> body = new ArrayList<>(a.map().body().stms());
    for (int k = 0; k < b.inputs().size(); k++) {
      Param p = b.map().params().get(k);
      int at = first.names().indexOf(b.inputs().get(k));
      if (at < 0) {
        inputs.add(b.inputs().get(k));
        params.add(p);
      } else {
        SubExp value = a.map().body().results().get(at);
        body.add(Stm.of(p.name(), p.type(), new BasicOp.SubExpOp(value)));
      }
    }
    body.addAll(b.map().body().stms());
    List<PatElem> pat = new ArrayList<>();
    List<SubExp> results = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    List<Param> post = new ArrayList<>();
    for (int k = 0; k < first.pat().size(); k++) {
      if (!wanted.test(first.pat().get(k).name())) {
        continue;
      }
      pat.add(first.pat().get(k));
      results.add(a.map().body().results().get(k));
      types.add(a.map().results().get(k));
      post.add(a.post().params().get(k));
    }
    pat.addAll(second.pat());
    results.addAll(b.map().body().results());
    types.addAll(b.map().results());
    post.addAll(b.post().params());
    List<SubExp> posted = new ArrayList<>();
    for (Param p : post) {
      posted.add(SubExp.of(p.name()));
    }
    Soac.Screma both =
        new Soac.Screma(
            a.width(),
            inputs,
            new Lambda(params, new Body(body, results), types),
            List.of(),
            List.of(),
            new Lambda(post, new Body(List.of(), posted), types));
    return new Stm(pat, first.aux().and(second.aux()), both);
  }

  /** Tests whether the operation is a map without consumption, accumulators and post-processing. */
  private static boolean isPlain(Soac.Screma s) {
    if (!s.isMap() || !Consumption.of(s.map()).isEmpty()) {
      return false;
    }
    return Scremas.isIdentity(s.post())
        && s.map().params().stream().noneMatch(p -> p.type() instanceof Type.Acc)
        && s.map().results().stream().noneMatch(t -> t instanceof Type.Acc);
  }
}
