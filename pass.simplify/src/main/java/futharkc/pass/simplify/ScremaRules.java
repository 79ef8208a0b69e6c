package futharkc.pass.simplify;

import futharkc.core.ir.Aux;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules on maps, reductions and scans. */
final class ScremaRules {
  private ScremaRules() {}

  static @Nullable List<Stm> simplify(Stm s, Soac.Screma x, Simplifier in) {
    Soac.Screma inputs = inputs(x, in);
    if (inputs != null) {
      return List.of(s.withExp(inputs));
    }
    Soac.Screma unused = unusedPostParams(x);
    if (unused != null) {
      return List.of(s.withExp(unused));
    }
    List<Stm> rows = replicatedRows(s, x, in);
    if (rows != null) {
      return rows;
    }
    List<Stm> simpler = AccRules.passedThrough(s, x);
    if (simpler == null) {
      simpler = MapRules.ofRows(s, x, in);
    }
    if (simpler == null) {
      simpler = MapRules.ownRows(s, x, in);
    }
    return simpler != null ? simpler : knownResults(s, x, in);
  }

  /** Removes inputs that are unused, repeated, or the same for every element. */
  private static Soac.@Nullable Screma inputs(Soac.Screma x, Simplifier in) {
    Set<Name> used = FreeNames.of(x.map().body());
    List<Name> arrays = new ArrayList<>();
    List<Param> params = new ArrayList<>();
    Map<Name, SubExp> known = new HashMap<>();
    Map<Name, Name> first = new LinkedHashMap<>();
    boolean changed = false;
    for (int k = 0; k < x.inputs().size(); k++) {
      Name a = x.inputs().get(k);
      Param p = x.map().params().get(k);
      boolean acc = p.type() instanceof Type.Acc;
      if (!acc && !used.contains(p.name())) {
        changed = true;
      } else if (!acc && first.containsKey(a)) {
        known.put(p.name(), SubExp.of(first.get(a)));
        changed = true;
      } else if (in.expOf(a) instanceof BasicOp.Replicate r
          && r.shape().size() == 1
          && in.type(r.value()).rank() == 0) {
        known.put(p.name(), r.value());
        changed = true;
      } else {
        first.putIfAbsent(a, p.name());
        arrays.add(a);
        params.add(p);
      }
    }
    if (!changed) {
      return null;
    }
    Body body = new Substitution(known).body(x.map().body());
    return new Soac.Screma(
        x.width(),
        arrays,
        new Lambda(params, body, x.map().results()),
        x.scans(),
        x.reduces(),
        x.post());
  }

  /**
   * Replaces rows of a replicated scalar by one row that is allocated before. Computations on the
   * row are then invariant.
   */
  private static @Nullable List<Stm> replicatedRows(Stm s, Soac.Screma x, Simplifier in) {
    List<Stm> out = new ArrayList<>();
    List<Name> arrays = new ArrayList<>();
    List<Param> params = new ArrayList<>();
    Map<Name, SubExp> known = new HashMap<>();
    Set<Name> consumed = Consumption.of(x.map());
    for (int k = 0; k < x.inputs().size(); k++) {
      Name a = x.inputs().get(k);
      Param p = x.map().params().get(k);
      if (in.expOf(a) instanceof BasicOp.Replicate r
          && r.shape().size() > 1
          && r.shape().subList(1, r.shape().size()).equals(p.type().dims())
          && in.type(r.value()).rank() == 0
          && !consumed.contains(p.name())) {
        Name row = in.names().fresh("row");
        Aux aux =
            Aux.at(s.aux().loc()).plusCerts(Objects.requireNonNull(in.definition(a)).aux().certs());
        BasicOp one = new BasicOp.Replicate(p.type().dims(), r.value());
        out.add(new Stm(List.of(new PatElem(row, p.type())), aux, one));
        known.put(p.name(), SubExp.of(row));
      } else {
        arrays.add(a);
        params.add(p);
      }
    }
    if (known.isEmpty()) {
      return null;
    }
    Body body = new Substitution(known).body(x.map().body());
    Lambda map = new Lambda(params, body, x.map().results());
    out.add(s.withExp(new Soac.Screma(x.width(), arrays, map, x.scans(), x.reduces(), x.post())));
    return out;
  }

  /** Removes values that the post function does not use. */
  private static Soac.@Nullable Screma unusedPostParams(Soac.Screma x) {
    int nscan = x.scanResults();
    int before = nscan + x.reduceResults();
    Set<Name> used = FreeNames.of(x.post().body());
    List<Param> params = new ArrayList<>(x.post().params().subList(0, nscan));
    List<SubExp> results = new ArrayList<>(x.map().body().results().subList(0, before));
    List<Type> types = new ArrayList<>(x.map().results().subList(0, before));
    for (int k = nscan; k < x.post().params().size(); k++) {
      Param p = x.post().params().get(k);
      if (!used.contains(p.name()) && !(p.type() instanceof Type.Acc)) {
        continue;
      }
      params.add(p);
      results.add(x.map().body().results().get(before - nscan + k));
      types.add(x.map().results().get(before - nscan + k));
    }
    if (params.size() == x.post().params().size()) {
      return null;
    }
    return new Soac.Screma(
        x.width(),
        x.inputs(),
        new Lambda(x.map().params(), new Body(x.map().body().stms(), results), types),
        x.scans(),
        x.reduces(),
        new Lambda(params, x.post().body(), x.post().results()));
  }

  /**
   * Removes known results of the post function. A result that is an element of an input becomes the
   * input. A result that is the same for every element becomes a replicate. A result that equals
   * another one becomes that one if both are only read.
   */
  private static @Nullable List<Stm> knownResults(Stm s, Soac.Screma x, Simplifier in) {
    int nred = x.reduceResults();
    int before = x.scanResults() + nred;
    Map<Name, SubExp> passed = new HashMap<>();
    for (int k = x.scanResults(); k < x.post().params().size(); k++) {
      passed.put(
          x.post().params().get(k).name(),
          x.map().body().results().get(before - x.scanResults() + k));
    }
    Map<Name, Name> elementOf = new HashMap<>();
    Set<Name> inside = new HashSet<>();
    for (int k = 0; k < x.inputs().size(); k++) {
      elementOf.put(x.map().params().get(k).name(), x.inputs().get(k));
      inside.add(x.map().params().get(k).name());
    }
    Set<Name> consumed = Consumption.of(x.map());
    for (Stm t : x.map().body().stms()) {
      inside.addAll(t.names());
      // A copy of a row equals the row: a result is not overwritten.
      if (t.exp() instanceof BasicOp.Replicate r
          && r.shape().isEmpty()
          && t.aux().certs().isEmpty()
          && r.value() instanceof SubExp.Var v
          && elementOf.containsKey(v.name())
          && !consumed.contains(v.name())) {
        elementOf.put(t.names().get(0), elementOf.get(v.name()));
      }
    }
    for (Stm t : x.post().body().stms()) {
      inside.addAll(t.names());
    }
    for (Param p : x.post().params()) {
      inside.add(p.name());
    }

    Map<SubExp, PatElem> first = new HashMap<>();
    List<Stm> after = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>(s.pat().subList(0, nred));
    List<SubExp> results = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    for (int k = 0; k < x.post().results().size(); k++) {
      PatElem p = s.pat().get(nred + k);
      SubExp r = x.post().body().results().get(k);
      if (r instanceof SubExp.Var v && passed.containsKey(v.name())) {
        r = passed.get(v.name());
      }
      Stm known = p.type() instanceof Type.Acc ? null : known(s, x, p, r, elementOf, inside, in);
      if (known == null) {
        known = same(s, p, first.get(r), in);
      }
      if (known != null) {
        after.add(known);
      } else {
        first.putIfAbsent(r, p);
        pat.add(p);
        results.add(x.post().body().results().get(k));
        types.add(x.post().results().get(k));
      }
    }
    if (after.isEmpty()) {
      return null;
    }
    List<Stm> out = new ArrayList<>();
    if (!pat.isEmpty()) {
      out.add(
          new Stm(
              pat,
              s.aux(),
              new Soac.Screma(
                  x.width(),
                  x.inputs(),
                  x.map(),
                  x.scans(),
                  x.reduces(),
                  new Lambda(
                      x.post().params(), new Body(x.post().body().stms(), results), types))));
    }
    out.addAll(after);
    return out;
  }

  private static @Nullable Stm same(Stm s, PatElem p, @Nullable PatElem other, Simplifier in) {
    if (other == null || !other.type().equals(p.type())) {
      return null;
    }
    boolean read = in.isOnlyRead(p.name()) && in.isOnlyRead(other.name());
    if (!read || !in.stay(List.of(p.name(), other.name()))) {
      return null;
    }
    BasicOp alias = new BasicOp.SubExpOp(SubExp.of(other.name()));
    return new Stm(List.of(p), Aux.at(s.aux().loc()), alias);
  }

  private static @Nullable Stm known(
      Stm s,
      Soac.Screma x,
      PatElem p,
      SubExp r,
      Map<Name, Name> elementOf,
      Set<Name> inside,
      Simplifier in) {
    Aux aux = Aux.at(s.aux().loc()).plusCerts(s.aux().certs());
    if (r instanceof SubExp.Var v && elementOf.containsKey(v.name())) {
      Name a = elementOf.get(v.name());
      // The result is a new array, so it becomes a copy of the input. A later rule removes the
      // copy if possible.
      return in.type(a).equals(p.type())
          ? new Stm(List.of(p), aux, new BasicOp.Replicate(List.of(), SubExp.of(a)))
          : null;
    }
    if (r instanceof SubExp.Var v && inside.contains(v.name())) {
      return null;
    }
    return new Stm(List.of(p), aux, new BasicOp.Replicate(List.of(x.width()), r));
  }
}
