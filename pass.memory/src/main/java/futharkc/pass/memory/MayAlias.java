package futharkc.pass.memory;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** For each array, the fresh arrays of which it may be a part. What a function got from outside is its own origin. */
final class MayAlias {
  private final Map<Name, Set<Name>> origins = new HashMap<>();

  /** Computed from the statements of a function, or the constants. */
  MayAlias(List<Stm> stms) {
    stms(stms);
  }

  /** Whether two arrays may share elements. */
  boolean overlap(Name a, Name b) {
    Set<Name> as = of(a);
    for (Name n : of(b)) if (as.contains(n)) return true;
    return false;
  }

  private Set<Name> of(Name n) {
    return origins.getOrDefault(n, Set.of(n));
  }

  private Set<Name> of(SubExp e) {
    return e instanceof SubExp.Var v ? of(v.name()) : Set.of();
  }

  private void set(Name n, Set<Name> from) {
    origins.put(n, from);
  }

  private void stms(List<Stm> stms) {
    for (Stm s : stms) stm(s);
  }

  private void stm(Stm s) {
    switch (s.exp()) {
      case BasicOp op -> {
        Name from = viewed(op);
        if (from != null) set(s.pat().get(0).name(), of(from));
      }
      case Exp.Apply a -> {
        Set<Name> all = new HashSet<>();
        for (SubExp arg : a.args()) all.addAll(of(arg));
        for (var p : s.pat()) {
          Set<Name> mine = new HashSet<>(all);
          mine.add(p.name());
          set(p.name(), mine);
        }
      }
      case Exp.Match m -> {
        for (Exp.Case c : m.cases()) stms(c.body().stms());
        stms(m.otherwise().stms());
        for (int k = 0; k < s.pat().size(); k++) {
          Set<Name> all = new HashSet<>(of(m.otherwise().results().get(k)));
          for (Exp.Case c : m.cases()) all.addAll(of(c.body().results().get(k)));
          set(s.pat().get(k).name(), all);
        }
      }
      case Exp.Loop l -> {
        for (Exp.LoopParam p : l.params()) {
          Set<Name> mine = new HashSet<>(of(p.init()));
          mine.add(p.param().name());
          set(p.param().name(), mine);
        }
        stms(l.body().stms());
        for (int k = 0; k < s.pat().size(); k++) {
          Set<Name> all = new HashSet<>(of(l.params().get(k).init()));
          all.addAll(of(l.body().results().get(k)));
          set(s.pat().get(k).name(), all);
        }
      }
      case Exp.WithAcc w -> {
        stms(w.lambda().body().stms());
        int k = 0;
        for (Exp.AccInput in : w.inputs()) {
          for (Name a : in.arrays()) set(s.pat().get(k++).name(), of(a));
        }
        for (int i = w.inputs().size(); i < w.lambda().results().size(); i++) {
          set(s.pat().get(k++).name(), of(w.lambda().body().results().get(i)));
        }
      }
      case SegExp.ParOp p -> {
        if (p.nested() != null) nested(p.nested());
        segOp(s, p.op());
      }
      case SegExp.Seg x -> segOp(s, x.op());
      default -> {}
    }
  }

  private void nested(Body b) {
    stms(b.stms());
  }

  private void segOp(Stm s, SegOp op) {
    stms(op.body().stms());
    if (op instanceof SegOp.SegHist h) {
      int k = 0;
      for (SegOp.SegHistOp o : h.ops()) {
        for (Name d : o.dests()) set(s.pat().get(k++).name(), of(d));
      }
    }
  }

  private static @org.jspecify.annotations.Nullable Name viewed(BasicOp op) {
    return switch (op) {
      case BasicOp.SubExpOp x -> x.value() instanceof SubExp.Var v ? v.name() : null;
      case BasicOp.Opaque x -> x.value() instanceof SubExp.Var v ? v.name() : null;
      case BasicOp.Index x -> x.array();
      case BasicOp.FlatIndex x -> x.array();
      case BasicOp.Update x -> x.array();
      case BasicOp.FlatUpdate x -> x.array();
      case BasicOp.Reshape x -> x.array();
      case BasicOp.Rearrange x -> x.array();
      default -> null;
    };
  }

  /** Every name mentioned in a statement, at any depth. */
  static Set<Name> mentioned(Stm s) {
    Set<Name> found = new HashSet<>();
    new Mapper() {
      @Override
      public Name name(Name use) {
        found.add(use);
        return use;
      }
    }.stm(s);
    return found;
  }
}
