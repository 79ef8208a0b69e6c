package futharkc.pass.fusion;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.analysis.Overwrites;
import futharkc.core.ir.analysis.Weight;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves a cheap map into the sequential loop that reads its results, if no other statement uses
 * them. Each iteration must read one element. Computing an element then costs less than a store and
 * a load.
 *
 * <pre>{@code
 * let ys = screma(n, [xs]) map f
 * let r  = loop {a = 0} for i < n do { let y = ys[i] in {g a y} }
 *   =>  let r = loop {a = 0} for i < n do { let x = xs[i]; let y = f x in {g a y} }
 * }</pre>
 */
final class LoopSinking {
  /** The maximal statement count of a cheap map. Larger maps stay parallel. */
  private static final int CHEAP = 8;

  private final FreeNamesOfStms free;
  private final Overwrites overwrites;
  private final Scope types;
  private final FusionRemarks remarks;
  private final List<Stm> stms;
  private final Body body;
  private final Map<Name, Integer> users = new HashMap<>();
  private final Set<Name> usedTwice = new HashSet<>();

  private LoopSinking(
      Body body, Aliases aliases, FreeNamesOfStms free, Scope types, FusionRemarks remarks) {
    this.body = body;
    this.free = free;
    this.overwrites = new Overwrites(body.stms(), aliases);
    this.types = types;
    this.remarks = remarks;
    this.stms = new ArrayList<>(body.stms());
    for (int i = 0; i < stms.size(); i++) {
      for (Name n : free.of(stms.get(i))) {
        if (users.put(n, i) != null) {
          usedTwice.add(n);
        }
      }
    }
    for (SubExp r : body.results()) {
      if (r instanceof SubExp.Var v) {
        usedTwice.add(v.name());
      }
    }
  }

  /** Returns the body with maps moved into loops, or the same body if none moved. */
  static Body move(
      Body body, Aliases aliases, FreeNamesOfStms free, Scope types, FusionRemarks remarks) {
    boolean possible =
        body.stms().stream().anyMatch(s -> loop(s) != null)
            && body.stms().stream().anyMatch(s -> s.exp() instanceof Soac.Screma);
    return possible ? new LoopSinking(body, aliases, free, types, remarks).run() : body;
  }

  private Body run() {
    Set<Integer> gone = new HashSet<>();
    // Visit the last map first, so that producers can follow a moved map.
    for (int i = stms.size() - 1; i >= 0; i--) {
      Stm map = stms.get(i);
      if (!(map.exp() instanceof Soac.Screma x)) {
        continue;
      }
      Integer user = onlyUser(map);
      Exp.Loop loop = user == null ? null : loop(stms.get(user));
      if (user == null || loop == null) {
        continue;
      }
      String obstacle = obstacle(map, x, i, user, loop);
      Stm moved =
          obstacle == null && remarks.mayGoOn() ? moved(map, x, stms.get(user), loop) : null;
      if (moved == null) {
        String reason = obstacle == null ? "the loop reads it at other indices" : obstacle;
        remarks.missed(map, stms.get(user), reason);
        continue;
      }
      remarks.fused(map, stms.get(user));
      stms.set(user, moved);
      gone.add(i);
      for (Name n : free.of(map)) {
        Integer last = users.get(n);
        if (last != null && last == i) {
          users.put(n, user);
        }
      }
    }
    if (gone.isEmpty()) {
      return body;
    }
    List<Stm> out = new ArrayList<>();
    for (int i = 0; i < stms.size(); i++) {
      if (!gone.contains(i)) {
        out.add(stms.get(i));
      }
    }
    return new Body(out, body.results());
  }

  private static Exp.@Nullable Loop loop(Stm s) {
    return s.exp() instanceof Exp.Loop l && l.form() instanceof Exp.Form.For ? l : null;
  }

  private @Nullable Integer onlyUser(Stm map) {
    Integer user = null;
    for (Name n : map.names()) {
      Integer mine = users.get(n);
      if (mine == null || usedTwice.contains(n) || user != null && !user.equals(mine)) {
        return null;
      }
      user = mine;
    }
    return user;
  }

  private @Nullable String obstacle(Stm map, Soac.Screma x, int at, int user, Exp.Loop loop) {
    if (!x.isMap()) {
      return "it is not a pure map";
    }
    if (!(loop.form() instanceof Exp.Form.For f && f.bound().equals(x.width()))) {
      return "the loop does not read all elements";
    }
    if (!isCheap(x)) {
      return "the map is profitable in parallel";
    }
    boolean overwritten = overwrites.any(free.of(map), at + 1, user + 1);
    return overwritten ? "an array that the map reads is overwritten" : null;
  }

  /** Tests whether a map has only a few scalar operations for each element, and no updates. */
  static boolean isCheap(Soac.Screma x) {
    if (x.map().params().stream().anyMatch(p -> p.type() instanceof Type.Acc)) {
      return false;
    }
    List<Stm> work = new ArrayList<>(x.map().body().stms());
    x.scans().forEach(o -> work.addAll(o.op().body().stms()));
    x.reduces().forEach(o -> work.addAll(o.op().body().stms()));
    work.addAll(x.post().body().stms());
    return work.size() <= CHEAP && work.stream().allMatch(LoopSinking::isCheap);
  }

  private static boolean isCheap(Stm s) {
    if (s.pat().size() != 1 || !(s.pat().get(0).type() instanceof Type.Prim)) {
      return false;
    }
    return switch (Weight.of(s.exp())) {
      case VIEW, ELEMENT, OPERATION, CHECK -> true;
      case FUNCTION, ARRAY, COPY, EFFECT, CODE -> false;
    };
  }

  /**
   * Returns the loop with the map's computation; null if the loop reads the results at other
   * indices.
   */
  private @Nullable Stm moved(Stm map, Soac.Screma x, Stm s, Exp.Loop loop) {
    SubExp index = SubExp.of(((Exp.Form.For) loop.form()).index());
    Set<Name> arrays = new HashSet<>(map.names());
    int first = loop.body().stms().size();
    for (int i = 0; i < loop.body().stms().size(); i++) {
      Stm t = loop.body().stms().get(i);
      if (Collections.disjoint(arrays, free.of(t))) {
        continue;
      }
      boolean reads =
          t.exp() instanceof BasicOp.Index e
              && e.slice().equals(new Slice(List.of(new Slice.Fix(index))));
      if (!reads) {
        return null;
      }
      first = Math.min(first, i);
    }
    for (SubExp r : loop.body().results()) {
      if (r instanceof SubExp.Var v && arrays.contains(v.name())) {
        return null;
      }
    }
    for (Exp.LoopParam p : loop.params()) {
      if (p.init() instanceof SubExp.Var v && arrays.contains(v.name())) {
        return null;
      }
    }
    List<Stm> out = new ArrayList<>(loop.body().stms().subList(0, first));
    Map<Name, SubExp> results = element(map, x, index, out);
    if (results == null) {
      return null;
    }
    // These names are defined under the certificates of the map.
    Set<Name> made = new HashSet<>();
    for (Stm t : out.subList(first, out.size())) {
      made.addAll(t.names());
    }
    for (Stm t : loop.body().stms().subList(first, loop.body().stms().size())) {
      SubExp result = t.exp() instanceof BasicOp.Index e ? results.get(e.array()) : null;
      if (result == null) {
        out.add(t);
        continue;
      }
      boolean checked = result instanceof SubExp.Var v && made.contains(v.name());
      Aux aux = checked ? t.aux() : t.aux().plusCerts(map.aux().certs());
      out.add(new Stm(t.pat(), aux, new BasicOp.SubExpOp(result)));
    }
    Body inside = new Body(out, loop.body().results());
    return s.withExp(new Exp.Loop(loop.params(), loop.form(), inside));
  }

  /** Emits the map's computation for one element, and returns the values of its results. */
  private @Nullable Map<Name, SubExp> element(Stm map, Soac.Screma x, SubExp index, List<Stm> out) {
    Aux aux = Aux.at(map.aux().loc()).plusCerts(map.aux().certs());
    for (int k = 0; k < x.inputs().size(); k++) {
      Type type = types.lookup(x.inputs().get(k));
      if (type == null) {
        return null;
      }
      PatElem p = new PatElem(x.map().params().get(k).name(), x.map().params().get(k).type());
      Slice slice = Slice.fix(List.of(index), type.dims());
      out.add(new Stm(List.of(p), aux, new BasicOp.Index(x.inputs().get(k), slice)));
    }
    for (Stm t : x.map().body().stms()) {
      out.add(new Stm(t.pat(), t.aux().plusCerts(aux.certs()), t.exp()));
    }
    Map<Name, SubExp> passed = new HashMap<>();
    for (int k = 0; k < x.post().params().size(); k++) {
      passed.put(x.post().params().get(k).name(), x.map().body().results().get(k));
    }
    Body post = new Substitution(passed).body(x.post().body());
    for (Stm t : post.stms()) {
      out.add(new Stm(t.pat(), t.aux().plusCerts(aux.certs()), t.exp()));
    }
    Map<Name, SubExp> results = new HashMap<>();
    for (int k = 0; k < map.pat().size(); k++) {
      results.put(map.names().get(k), post.results().get(k));
    }
    return results;
  }
}
