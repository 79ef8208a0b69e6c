package futharkc.pass.simplify;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Builder;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules on loops. */
final class LoopRules {
  /** The maximal statement count after unrolling, even if the source requests it. */
  private static final int MANY_STATEMENTS = 10_000;

  private LoopRules() {}

  static @Nullable List<Stm> simplify(Stm s, Exp.Loop l, Simplifier in) {
    if (l.form() instanceof Exp.Form.For f && f.bound() instanceof SubExp.Const c) {
      if (c.value().asLong() <= 0) {
        return bindInits(s, l);
      }
      if (c.value().asLong() == 1) {
        return once(s, l, f);
      }
      if (s.aux().hasAttr("unroll")) {
        List<Stm> unrolled = unrolled(s, l, f, c.value().asLong(), in);
        if (unrolled != null) {
          return unrolled;
        }
      }
    }
    List<Stm> fewer = invariantParams(s, l, in);
    if (fewer != null) {
      return fewer;
    }
    List<Stm> owned = copiedBefore(s, l, in);
    return owned != null ? owned : sum(s, l, in);
  }

  /**
   * Moves the copy of a loop result before the loop, to the initial value. The program then needs
   * one array less at a time, and iterations may update the array in place.
   */
  private static @Nullable List<Stm> copiedBefore(Stm s, Exp.Loop l, Simplifier in) {
    if (in.hasMemory()) {
      return null;
    }
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam p = l.params().get(k);
      Param mine = p.param();
      if (mine.unique()
          || !in.isCopiedResult(s.pat().get(k).name())
          || !(p.init() instanceof SubExp.Var init)
          || !mine.type().equals(in.type(init.name()))
          || !isMadeInside(l, k)) {
        continue;
      }
      Name copy = in.names().fresh("copy");
      List<Exp.LoopParam> params = new ArrayList<>(l.params());
      Param unique = new Param(mine.name(), mine.type(), true);
      params.set(k, new Exp.LoopParam(unique, SubExp.of(copy)));
      Exp copied = new BasicOp.Replicate(List.of(), init);
      return List.of(
          new Stm(List.of(new PatElem(copy, mine.type())), s.aux(), copied),
          s.withExp(new Exp.Loop(params, l.form(), l.body())));
    }
    return null;
  }

  /**
   * Tests whether the next value of a parameter is newly allocated in the iteration or is the
   * parameter itself, and no other next value aliases it.
   */
  private static boolean isMadeInside(Exp.Loop l, int k) {
    Aliases aliases = Aliases.of(l.body().stms());
    if (!(l.body().results().get(k) instanceof SubExp.Var v)) {
      return false;
    }
    Set<Name> mine = new HashSet<>(aliases.roots(v.name()));
    mine.add(l.params().get(k).param().name());
    Set<Name> bound = new HashSet<>();
    for (Stm t : l.body().stms()) {
      bound.addAll(BoundNames.of(t));
    }
    bound.add(l.params().get(k).param().name());
    if (!bound.containsAll(mine)) {
      return false;
    }
    for (int j = 0; j < l.params().size(); j++) {
      if (j == k || !(l.body().results().get(j) instanceof SubExp.Var other)) {
        continue;
      }
      if (!Collections.disjoint(mine, aliases.roots(other.name()))) {
        return false;
      }
    }
    return true;
  }

  /** Unrolls all iterations. */
  private static @Nullable List<Stm> unrolled(
      Stm s, Exp.Loop l, Exp.Form.For f, long count, Simplifier in) {
    if (count * l.body().stms().size() > MANY_STATEMENTS) {
      return null;
    }
    List<Stm> out = new ArrayList<>();
    List<SubExp> values = l.params().stream().map(Exp.LoopParam::init).toList();
    for (long i = 0; i < count; i++) {
      Map<Name, SubExp> known = new HashMap<>();
      known.put(f.index(), SubExp.of(PrimValue.ofInt(f.type(), i)));
      for (int k = 0; k < values.size(); k++) {
        known.put(l.params().get(k).param().name(), values.get(k));
      }
      Body copy = new Renamer(in.names()).body(l.body());
      Body iteration = new Substitution(known).body(copy);
      for (Stm t : iteration.stms()) {
        out.add(new Stm(t.pat(), t.aux().plusCerts(s.aux().certs()), t.exp()));
      }
      values = iteration.results();
    }
    ControlRules.bind(s, values, out);
    return out;
  }

  /** Replaces a sum of equal values by a product. */
  private static @Nullable List<Stm> sum(Stm s, Exp.Loop l, Simplifier in) {
    if (!(l.form() instanceof Exp.Form.For f) || l.params().size() != 1) {
      return null;
    }
    if (l.body().stms().size() != 1 || in.hasMemory()) {
      return null;
    }
    Stm only = l.body().stms().get(0);
    Name total = l.params().get(0).param().name();
    if (!(only.exp() instanceof BasicOp.BinOpExp x)
        || x.op().kind() != BinOp.Kind.ADD
        || !l.body().results().equals(List.of(SubExp.of(only.names().get(0))))) {
      return null;
    }
    SubExp term = x.left().equals(SubExp.of(total)) ? x.right() : x.left();
    if (!x.left().equals(SubExp.of(total)) && !x.right().equals(SubExp.of(total))) {
      return null;
    }
    if (term.equals(SubExp.of(total)) || term.equals(SubExp.of(f.index()))) {
      return null;
    }
    Aux aux = s.aux().plusCerts(only.aux().certs());
    PrimType type = x.op().type();
    Builder b = in.builder(aux);
    SubExp zero = SubExp.of(PrimValue.zero(f.type()));
    SubExp count = b.binOp("count", BinOp.Kind.SMAX, f.type(), f.bound(), zero);
    SubExp times = b.conv("times", ConvOp.Kind.SEXT, f.type(), type, count);
    SubExp sum = b.binOp("sum", BinOp.Kind.MUL, type, times, term);
    b.add(new Stm(s.pat(), aux, new BasicOp.BinOpExp(x.op(), l.params().get(0).init(), sum)));
    return b.stms();
  }

  private static List<Stm> bindInits(Stm s, Exp.Loop l) {
    List<Stm> out = new ArrayList<>();
    ControlRules.bind(s, l.params().stream().map(Exp.LoopParam::init).toList(), out);
    return out;
  }

  /** Replaces a loop with one iteration by its body with index 0. */
  private static List<Stm> once(Stm s, Exp.Loop l, Exp.Form.For f) {
    List<Stm> out = new ArrayList<>();
    Aux aux = s.aux();
    List<PatElem> params = new ArrayList<>();
    for (Exp.LoopParam p : l.params()) {
      params.add(new PatElem(p.param().name(), p.param().type()));
    }
    for (int k = 0; k < params.size(); k++) {
      boolean mentioned = ControlRules.isMentioned(params.get(k).name(), params);
      Aux checks = mentioned ? Aux.at(aux.loc()) : aux;
      Exp init = new BasicOp.SubExpOp(l.params().get(k).init());
      out.add(new Stm(List.of(params.get(k)), checks, init));
    }
    out.add(
        new Stm(
            List.of(new PatElem(f.index(), Type.prim(f.type()))),
            aux,
            new BasicOp.SubExpOp(SubExp.of(PrimValue.zero(f.type())))));
    for (Stm t : l.body().stms()) {
      out.add(new Stm(t.pat(), t.aux().plusCerts(aux.certs()), t.exp()));
    }
    ControlRules.bind(s, l.body().results(), out);
    return out;
  }

  /** Replaces an invariant parameter by its initial value. */
  private static @Nullable List<Stm> invariantParams(Stm s, Exp.Loop l, Simplifier in) {
    Map<Name, SubExp> known = new HashMap<>();
    List<Exp.LoopParam> params = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>();
    List<SubExp> results = new ArrayList<>();
    List<Stm> after = new ArrayList<>();
    Set<Integer> invariant = Invariants.of(s, l, in);
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam p = l.params().get(k);
      Name n = p.param().name();
      SubExp r = l.body().results().get(k);
      PatElem e = s.pat().get(k);
      if (invariant.contains(k)) {
        known.put(n, p.init());
        known.put(e.name(), p.init());
        boolean mentioned = ControlRules.isMentioned(e.name(), s.pat());
        Aux aux = Aux.at(s.aux().loc()).plusCerts(mentioned ? List.of() : s.aux().certs());
        after.add(new Stm(List.of(e), aux, new BasicOp.SubExpOp(p.init())));
      } else {
        params.add(p);
        pat.add(e);
        results.add(r);
      }
    }
    if (after.isEmpty()) {
      return null;
    }
    if (l.form() instanceof Exp.Form.While w && known.containsKey(w.cond())) {
      return null;
    }
    Substitution sub = new Substitution(known);
    List<Stm> out = new ArrayList<>();
    if (!params.isEmpty()) {
      Exp.Loop smaller = new Exp.Loop(params, l.form(), new Body(l.body().stms(), results));
      out.add(new Stm(sub.pat(pat), s.aux(), sub.exp(smaller)));
    }
    out.addAll(after);
    return out;
  }
}
