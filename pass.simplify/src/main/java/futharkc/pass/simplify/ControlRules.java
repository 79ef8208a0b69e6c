package futharkc.pass.simplify;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.UnOp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules on branches. */
final class ControlRules {
  private ControlRules() {}

  static @Nullable List<Stm> match(Stm s, Exp.Match m, Simplifier in) {
    Body chosen = chosen(m);
    if (chosen != null) {
      return inline(s, chosen);
    }
    if (m.isConditional()) {
      // if not c then a else b = if c then b else a
      if (in.expOf(m.scrutinees().get(0)) instanceof BasicOp.UnOpExp u
          && u.op().kind() == UnOp.Kind.NOT) {
        return List.of(
            s.withExp(Exp.Match.conditional(u.operand(), m.otherwise(), m.cases().get(0).body())));
      }
      List<Stm> truth = asCondition(s, m);
      if (truth != null) {
        return truth;
      }
    }
    List<Stm> agreeing = agreeing(s, m, in);
    return agreeing != null ? agreeing : equalResults(s, m);
  }

  /** Returns the branch that is always taken, or null. */
  private static @Nullable Body chosen(Exp.Match m) {
    for (Exp.Case c : m.cases()) {
      boolean all = true;
      for (int i = 0; i < c.pattern().size(); i++) {
        PrimValue p = c.pattern().get(i);
        if (p == null) {
          continue;
        }
        if (!(m.scrutinees().get(i) instanceof SubExp.Const k)) {
          return null;
        }
        all &= k.value().equals(p);
      }
      if (all) {
        return c.body();
      }
    }
    return m.otherwise();
  }

  private static List<Stm> inline(Stm s, Body b) {
    List<Stm> out = new ArrayList<>();
    for (Stm t : b.stms()) {
      out.add(new Stm(t.pat(), t.aux().plusCerts(s.aux().certs()), t.exp()));
    }
    bind(s, b.results(), out);
    return out;
  }

  /**
   * Binds the pattern to operands. A value that the preceding statements bind already has the
   * certificates; other values get them here. A size or memory block in a type of the pattern gets
   * none, because the arrays have them.
   */
  static void bind(Stm s, List<SubExp> values, List<Stm> out) {
    Set<Name> checked = new HashSet<>();
    for (Stm t : out) {
      checked.addAll(t.names());
    }
    Aux plain = Aux.at(s.aux().loc());
    for (int k = 0; k < s.pat().size(); k++) {
      SubExp v = values.get(k);
      boolean done = v instanceof SubExp.Var x && checked.contains(x.name());
      done |= isMentioned(s.pat().get(k).name(), s.pat());
      Aux aux = done ? plain : plain.plusCerts(s.aux().certs());
      out.add(new Stm(List.of(s.pat().get(k)), aux, new BasicOp.SubExpOp(v)));
    }
  }

  /** Tests whether a type of the pattern contains a name, as a size or as a memory block. */
  static boolean isMentioned(Name n, List<PatElem> pat) {
    for (PatElem p : pat) {
      if (!(p.type() instanceof Type.Array a)) {
        continue;
      }
      if (a.shape().contains(SubExp.of(n))) {
        return true;
      }
      ArrayMem m = a.mem();
      if (m == null) {
        continue;
      }
      if (m.block().equals(n) || m.lmad().offset().variables().contains(n)) {
        return true;
      }
      for (Lmad.Dim d : m.lmad().dims()) {
        if (d.stride().variables().contains(n)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Replaces {@code if c then true else false} and similar branches by a logical operation. */
  private static @Nullable List<Stm> asCondition(Stm s, Exp.Match m) {
    if (s.pat().size() != 1 || !s.pat().get(0).type().isPrim(PrimType.BOOL)) {
      return null;
    }
    Body then = m.cases().get(0).body();
    if (!then.stms().isEmpty() || !m.otherwise().stms().isEmpty()) {
      return null;
    }
    SubExp c = m.scrutinees().get(0);
    SubExp a = then.results().get(0);
    SubExp b = m.otherwise().results().get(0);
    if (ScalarRules.isTrue(a) && ScalarRules.isFalse(b)) {
      return Rules.be(s, c);
    }
    if (ScalarRules.isFalse(a) && ScalarRules.isTrue(b)) {
      return List.of(s.withExp(new BasicOp.UnOpExp(new UnOp(UnOp.Kind.NOT, PrimType.BOOL), c)));
    }
    // The operands of c && b and c || b are available outside the branches.
    if (ScalarRules.isFalse(b)) {
      return List.of(s.withExp(logical(futharkc.core.ir.BinOp.Kind.LOG_AND, c, a)));
    }
    if (ScalarRules.isTrue(a)) {
      return List.of(s.withExp(logical(futharkc.core.ir.BinOp.Kind.LOG_OR, c, b)));
    }
    return null;
  }

  private static BasicOp logical(futharkc.core.ir.BinOp.Kind kind, SubExp a, SubExp b) {
    return new BasicOp.BinOpExp(new futharkc.core.ir.BinOp(kind, PrimType.BOOL), a, b);
  }

  /** Removes results that are the same operand in all branches. */
  private static @Nullable List<Stm> agreeing(Stm s, Exp.Match m, Simplifier in) {
    List<Body> bodies = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      bodies.add(c.body());
    }
    bodies.add(m.otherwise());
    List<Integer> keep = new ArrayList<>();
    List<Stm> after = new ArrayList<>();
    Map<Name, SubExp> known = new HashMap<>();
    for (int k = 0; k < s.pat().size(); k++) {
      SubExp r = bodies.get(0).results().get(k);
      boolean same = true;
      for (Body b : bodies) {
        same &= b.results().get(k).equals(r);
      }
      Type t = s.pat().get(k).type();
      same &=
          t instanceof Type.Prim
              || (t instanceof Type.Mem || t instanceof Type.Array)
                  && r instanceof SubExp.Var v
                  && in.knows(v.name())
                  && in.type(r).equals(t);
      if (same) {
        known.put(s.pat().get(k).name(), r);
        Aux aux = Aux.at(s.aux().loc()).plusCerts(s.aux().certs());
        after.add(new Stm(List.of(s.pat().get(k)), aux, new BasicOp.SubExpOp(r)));
      } else {
        keep.add(k);
      }
    }
    if (after.isEmpty()) {
      return null;
    }
    Substitution sub = new Substitution(known);
    List<PatElem> pat = new ArrayList<>();
    for (int k : keep) {
      pat.add(sub.patElem(s.pat().get(k)));
    }
    if (pat.isEmpty()) {
      return after;
    }
    List<Exp.Case> cases = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      cases.add(new Exp.Case(c.pattern(), pick(c.body(), keep)));
    }
    List<Stm> out = new ArrayList<>();
    out.add(new Stm(pat, s.aux(), new Exp.Match(m.scrutinees(), cases, pick(m.otherwise(), keep))));
    out.addAll(after);
    return out;
  }

  /** Removes scalar results that equal an earlier result in every branch. */
  private static @Nullable List<Stm> equalResults(Stm s, Exp.Match m) {
    List<Body> bodies = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      bodies.add(c.body());
    }
    bodies.add(m.otherwise());
    Map<List<SubExp>, Integer> first = new HashMap<>();
    List<Integer> keep = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>();
    List<Stm> after = new ArrayList<>();
    Map<Name, SubExp> known = new HashMap<>();
    for (int k = 0; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      int result = k;
      List<SubExp> operands = bodies.stream().map(b -> b.results().get(result)).toList();
      Integer same = p.type() instanceof Type.Prim ? first.putIfAbsent(operands, k) : null;
      if (same != null && s.pat().get(same).type().equals(p.type())) {
        SubExp value = SubExp.of(s.pat().get(same).name());
        known.put(p.name(), value);
        after.add(new Stm(List.of(p), Aux.at(s.aux().loc()), new BasicOp.SubExpOp(value)));
      } else {
        keep.add(k);
        pat.add(p);
      }
    }
    if (after.isEmpty()) {
      return null;
    }
    List<Exp.Case> cases = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      cases.add(new Exp.Case(c.pattern(), pick(c.body(), keep)));
    }
    List<Stm> out = new ArrayList<>();
    Exp smaller = new Exp.Match(m.scrutinees(), cases, pick(m.otherwise(), keep));
    out.add(new Stm(new Substitution(known).pat(pat), s.aux(), smaller));
    out.addAll(after);
    return out;
  }

  private static Body pick(Body b, List<Integer> keep) {
    return new Body(b.stms(), keep.stream().map(b.results()::get).toList());
  }
}
