package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.count;
import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.verify.Check.Operand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Verification of loops. */
final class LoopCheck {
  private final Check check;
  private final VerifierScope env;

  LoopCheck(Check check) {
    this.check = check;
    this.env = check.env;
  }

  List<@Nullable Set<AliasClass>> loop(Stm s, Exp.Loop l) {
    int n = l.params().size();
    List<Name> names = l.params().stream().map(p -> p.param().name()).toList();
    List<SubExp> inits = l.params().stream().map(Exp.LoopParam::init).toList();
    Substitution first = Check.replacements(names, inits);
    List<Boolean> consumed = new ArrayList<>();
    for (Exp.LoopParam p : l.params()) {
      Type t = p.param().type();
      check.sameWithMem(
          env.use(p.init()), Check.substitute(t, first), "initial value of " + p.param().name());
      require(
          !p.param().unique() || t instanceof Type.Array || t instanceof Type.Acc,
          p.param().name() + " is unique but no array");
      consumed.add(isConsumed(p.param()));
    }
    if (l.form() instanceof Exp.Form.For f) {
      require(f.type().isInt(), "the index is not an integer");
      check.operand(f.bound(), f.type());
    }
    consumeInits(s, l, consumed);
    int mark = env.enter();
    int before = env.enterRegion(false);
    for (Exp.LoopParam p : l.params()) {
      check.bindParam(
          p.param(), isConsumed(p.param()) ? null : "a loop parameter that is not unique");
    }
    switch (l.form()) {
      case Exp.Form.For f -> env.bind(f.index(), Type.prim(f.type()));
      case Exp.Form.While w -> {
        require(
            names.contains(w.cond()),
            "the condition " + w.cond() + " is not a parameter of the loop");
        require(
            env.type(w.cond()).isPrim(PrimType.BOOL),
            "the condition " + w.cond() + " is not a boolean");
      }
    }
    check.stms(l.body().stms());
    count(l.body().results().size(), n, "results of the body");
    Substitution next = Check.replacements(names, l.body().results());
    for (int i = 0; i < n; i++) {
      SubExp e = l.body().results().get(i);
      Type expected = Check.substitute(l.params().get(i).param().type(), next);
      check.sameWithMem(env.use(e), expected, "next value " + e + " of " + names.get(i));
    }
    CarriedValues carried = carried(l);
    carried.check();
    env.leaveRegion(before);
    env.leave(mark);
    check.patternCount(s, n);
    List<SubExp> results = new ArrayList<>();
    for (Name p : s.names()) {
      results.add(SubExp.of(p));
    }
    Substitution last = Check.replacements(names, results);
    for (int i = 0; i < n; i++) {
      Type expected = Check.substitute(l.params().get(i).param().type(), last);
      check.sameWithMem(s.pat().get(i).type(), expected, "result " + s.pat().get(i).name());
    }
    return carried.results(env);
  }

  /** Tests whether a loop or stream owns the value of a parameter and may overwrite it in place. */
  static boolean isConsumed(Param p) {
    return p.unique() || p.type() instanceof Type.Acc;
  }

  private void consumeInits(Stm s, Exp.Loop l, List<Boolean> consumed) {
    List<Operand> operands = new ArrayList<>();
    for (int i = 0; i < consumed.size(); i++) {
      String consumer = consumed.get(i) ? ExpCheck.consumer(s) : null;
      operands.add(new Operand(l.params().get(i).init(), consumer));
    }
    check.operands(operands, env.uses());
  }

  /** Returns the carried values of a loop, in the scope of its body. */
  private CarriedValues carried(Exp.Loop l) {
    var carried = new CarriedValues(env.region());
    for (int i = 0; i < l.params().size(); i++) {
      Param p = l.params().get(i).param();
      SubExp next = l.body().results().get(i);
      carried.add(
          p.name(),
          isConsumed(p),
          env.origins(p.name()),
          env.origins(l.params().get(i).init()),
          next,
          env.origins(next));
    }
    return carried;
  }
}
