package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Soac;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * Several operators combined into one operator on the tuple of their values.
 *
 * @param ops the operators
 * @param neutral the neutral elements
 * @param types the types of the combined values
 */
record CombinedOperators(List<Lambda> ops, List<SubExp> neutral, List<Type> types) {
  /** Returns the operators of a reduction or of a scan. */
  static CombinedOperators of(Soac.Screma x) {
    List<Lambda> ops = new ArrayList<>();
    List<SubExp> neutral = new ArrayList<>();
    for (Soac.Scan c : x.scans()) {
      ops.add(c.op());
      neutral.addAll(c.neutral());
    }
    for (Soac.Reduce r : x.reduces()) {
      ops.add(r.op());
      neutral.addAll(r.neutral());
    }
    return of(ops, neutral);
  }

  static CombinedOperators of(List<Lambda> ops, List<SubExp> neutral) {
    List<Type> types = new ArrayList<>();
    for (Lambda op : ops) {
      types.addAll(op.results());
    }
    return new CombinedOperators(ops, neutral, types);
  }

  /** Tests whether an operator combines arrays. */
  boolean onArrays() {
    return types.stream().anyMatch(t -> t.rank() > 0);
  }

  /** Returns the results of the operators on the given values, with fresh names. */
  Body applied(NameSource names, Aux aux, List<SubExp> left, List<SubExp> right) {
    Builder b = new Builder(names).with(aux);
    List<SubExp> results = new ArrayList<>();
    int at = 0;
    for (Lambda op : ops) {
      Lambda l = new Renamer(names).lambda(op);
      int n = l.results().size();
      for (int i = 0; i < n; i++) {
        bind(b, l.params().get(i), left.get(at + i));
        bind(b, l.params().get(n + i), right.get(at + i));
      }
      b.addAll(l.body().stms());
      results.addAll(l.body().results());
      at += n;
    }
    return b.body(results);
  }

  private static void bind(Builder b, Param p, SubExp value) {
    b.let(List.of(new PatElem(p.name(), p.type())), new BasicOp.SubExpOp(value));
  }
}
