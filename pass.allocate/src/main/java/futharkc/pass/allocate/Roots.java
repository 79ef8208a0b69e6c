package futharkc.pass.allocate;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An analysis of in-place updates. The root of an array is the array that it updates. The analysis
 * follows updates, copies of names, histograms, accumulators, loops that only update their
 * parameter, and branches with a common root.
 */
final class Roots {
  private final Map<Name, Name> roots = new HashMap<>();

  /** Computes the roots from the statements of a function, or from the constants. */
  Roots(List<Stm> stms) {
    stms(stms);
  }

  /** Returns the root of a name, or the name itself. */
  Name of(Name name) {
    return roots.getOrDefault(name, name);
  }

  /**
   * Tests whether the loop parameter at this position is always the initial array or an in-place
   * update of it.
   */
  boolean inPlace(Exp.Loop loop, int param) {
    return loop.body().results().get(param) instanceof SubExp.Var v
        && of(v.name()).equals(of(loop.params().get(param).param().name()));
  }

  private @Nullable Name of(SubExp e) {
    return e instanceof SubExp.Var v ? of(v.name()) : null;
  }

  private void set(Name name, @Nullable Name origin) {
    if (origin != null) {
      roots.put(name, origin);
    }
  }

  private void stms(List<Stm> stms) {
    for (Stm s : stms) {
      stm(s);
    }
  }

  private void stm(Stm s) {
    switch (s.exp()) {
      case BasicOp.SubExpOp x -> set(s.pat().get(0).name(), of(x.value()));
      case BasicOp.Update x -> set(s.pat().get(0).name(), of(x.array()));
      case BasicOp.FlatUpdate x -> set(s.pat().get(0).name(), of(x.array()));
      case Exp.Loop l -> {
        stms(l.body().stms());
        for (int k = 0; k < l.params().size(); k++) {
          if (inPlace(l, k)) {
            set(s.pat().get(k).name(), of(l.params().get(k).init()));
          }
        }
      }
      case Exp.Match m -> {
        for (Exp.Case c : m.cases()) {
          stms(c.body().stms());
        }
        stms(m.otherwise().stms());
        for (int k = 0; k < s.pat().size(); k++) {
          set(s.pat().get(k).name(), agreed(m, k));
        }
      }
      case Exp.WithAcc w -> {
        for (Exp.AccInput in : w.inputs()) {
          if (in.op() != null) {
            lambda(in.op().lambda());
          }
        }
        stms(w.lambda().body().stms());
        int k = 0;
        for (Exp.AccInput in : w.inputs()) {
          for (Name a : in.arrays()) {
            set(s.pat().get(k++).name(), of(a));
          }
        }
      }
      case SegExp.ParOp p -> {
        if (p.nested() != null) {
          stms(p.nested().stms());
        }
        segOp(s, p.op());
      }
      case SegExp.Seg x -> segOp(s, x.op());
      case HostOp.GpuBody x -> stms(x.body().stms());
      default -> {}
    }
  }

  private void segOp(Stm s, SegOp op) {
    stms(op.body().stms());
    switch (op) {
      case SegOp.SegMap m -> {}
      case SegOp.SegRed r -> {
        for (SegOp.SegBinOp o : r.ops()) {
          lambda(o.op());
        }
        if (r.post() != null) {
          lambda(r.post());
        }
      }
      case SegOp.SegScan c -> {
        for (SegOp.SegBinOp o : c.ops()) {
          lambda(o.op());
        }
        lambda(c.post());
      }
      case SegOp.SegHist h -> {
        int k = 0;
        for (SegOp.SegHistOp o : h.ops()) {
          lambda(o.op());
          for (Name d : o.dests()) {
            set(s.pat().get(k++).name(), of(d));
          }
        }
      }
    }
  }

  private void lambda(Lambda l) {
    stms(l.body().stms());
  }

  /** Returns the root of a branch result, if all branches have the same root outside; else null. */
  private @Nullable Name agreed(Exp.Match m, int k) {
    Name origin = of(m.otherwise().results().get(k));
    for (Exp.Case c : m.cases()) {
      Body b = c.body();
      if (origin == null || !origin.equals(of(b.results().get(k)))) {
        return null;
      }
    }
    return origin;
  }
}
