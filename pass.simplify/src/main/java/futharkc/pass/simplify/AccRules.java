package futharkc.pass.simplify;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules on accumulators without updates. */
final class AccRules {
  private AccRules() {}

  /** Removes an accumulator from a map that returns it unchanged. */
  static @Nullable List<Stm> passedThrough(Stm s, Soac.Screma x) {
    Set<Name> used = new HashSet<>();
    for (Stm t : x.map().body().stms()) {
      used.addAll(FreeNames.of(t));
    }
    int numReduced = x.reduceResults();
    int toPost = numReduced;
    for (int k = 0; k < x.inputs().size(); k++) {
      Param p = x.map().params().get(k);
      if (!(p.type() instanceof Type.Acc) || used.contains(p.name())) {
        continue;
      }
      int result = x.map().body().results().indexOf(SubExp.of(p.name()));
      if (result < 0) {
        continue;
      }
      int passed = result - toPost;
      SubExp inPost = SubExp.of(x.post().params().get(passed).name());
      int out = x.post().body().results().indexOf(inPost);
      if (out < 0) {
        continue;
      }
      Lambda map =
          new Lambda(
              without(x.map().params(), k),
              new Body(x.map().body().stms(), without(x.map().body().results(), result)),
              without(x.map().results(), result));
      Lambda post =
          new Lambda(
              without(x.post().params(), passed),
              new Body(x.post().body().stms(), without(x.post().body().results(), out)),
              without(x.post().results(), out));
      List<Stm> stms = new ArrayList<>();
      List<PatElem> pat = without(s.pat(), numReduced + out);
      if (!pat.isEmpty()) {
        var rest =
            new Soac.Screma(x.width(), without(x.inputs(), k), map, x.scans(), x.reduces(), post);
        stms.add(new Stm(pat, s.aux(), rest));
      }
      stms.add(is(s.pat().get(numReduced + out), x.inputs().get(k), s));
      return stms;
    }
    return null;
  }

  /** Replaces the results of an accumulation without updates by the original arrays. */
  static @Nullable List<Stm> withAcc(Stm s, Exp.WithAcc w) {
    Lambda l = w.lambda();
    Set<Name> used = new HashSet<>();
    for (Stm t : l.body().stms()) {
      used.addAll(FreeNames.of(t));
    }
    int n = w.inputs().size();
    int at = 0;
    for (int i = 0; i < n; i++) {
      Name acc = l.params().get(n + i).name();
      int arrays = w.inputs().get(i).arrays().size();
      if (!l.body().results().get(i).equals(SubExp.of(acc)) || used.contains(acc)) {
        at += arrays;
        continue;
      }
      List<Stm> stms = new ArrayList<>();
      List<PatElem> pat = new ArrayList<>(s.pat());
      pat.subList(at, at + arrays).clear();
      List<SubExp> results = without(l.body().results(), i);
      if (n > 1) {
        Lambda rest =
            new Lambda(
                without(without(l.params(), n + i), i),
                new Body(l.body().stms(), results),
                without(l.results(), i));
        stms.add(new Stm(pat, s.aux(), new Exp.WithAcc(without(w.inputs(), i), rest)));
      } else {
        for (Stm t : l.body().stms()) {
          stms.add(new Stm(t.pat(), t.aux().plusCerts(s.aux().certs()), t.exp()));
        }
        ControlRules.bind(new Stm(pat, s.aux(), s.exp()), results, stms);
      }
      for (int k = 0; k < arrays; k++) {
        stms.add(is(s.pat().get(at + k), w.inputs().get(i).arrays().get(k), s));
      }
      return stms;
    }
    return null;
  }

  private static Stm is(PatElem p, Name name, Stm s) {
    Aux aux = Aux.at(s.aux().loc()).plusCerts(s.aux().certs());
    return new Stm(List.of(p), aux, new BasicOp.SubExpOp(SubExp.of(name)));
  }

  /** Removes an update with the neutral element. */
  static @Nullable List<Stm> update(Stm s, BasicOp.UpdateAcc u, Simplifier in) {
    Exp.AccInput input = in.type(u.acc()) instanceof Type.Acc a ? in.accumulated(a.token()) : null;
    if (input == null || input.op() == null || !u.values().equals(input.op().neutral())) {
      return null;
    }
    return List.of(is(s.pat().get(0), u.acc(), s));
  }

  private static <T> List<T> without(List<T> all, int position) {
    List<T> rest = new ArrayList<>(all);
    rest.remove(position);
    return rest;
  }
}
