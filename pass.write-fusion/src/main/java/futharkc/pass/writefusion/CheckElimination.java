package futharkc.pass.writefusion;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.UseCounts;
import futharkc.core.ir.symbolic.Iterations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes checks and initialisations that a proof makes redundant. A write with indices proved in
 * range needs no range check. A fresh array needs no initial values if the write overwrites all of
 * it.
 *
 * <pre>{@code
 * let a = replicate([n], 0)                              let a = scratch([n])
 * let b = with_acc acc([n], {a}) ...               =>    let b = with_acc acc([n], {a}) ...
 *   screma(n, {acc, iota, vs})                             screma(n, {acc, iota, vs})
 *     map \c i v -> update_acc(c, n-1-i, v)                  map \c i v -> update_acc_in_range(...)
 * }</pre>
 */
final class CheckElimination extends Mapper {
  private final IndexProofs proofs;
  private final WriteFusionRemarks remarks;

  /** The written array of each accumulator, keyed by token. */
  private final Map<Name, Name> written = new HashMap<>();

  private @Nullable Iterations iterations;

  CheckElimination(IndexProofs proofs, WriteFusionRemarks remarks) {
    this.proofs = proofs;
    this.remarks = remarks;
  }

  @Override
  public Body body(Body b) {
    Body all = super.body(b);
    Map<Name, Integer> uses = new HashMap<>();
    Map<Name, Integer> definers = new HashMap<>();
    List<Stm> stms = new ArrayList<>(all.stms());
    boolean changed = false;
    for (int i = 0; i < stms.size(); i++) {
      if (stms.get(i).exp() instanceof Exp.WithAcc w) {
        if (uses.isEmpty()) {
          uses.putAll(UseCounts.of(all));
        }
        for (int k = 0; k < w.inputs().size(); k++) {
          if (w.inputs().get(k).op() != null) {
            continue;
          }
          List<Integer> fills = new ArrayList<>();
          for (Name array : w.inputs().get(k).arrays()) {
            Integer at = definers.get(array);
            if (at != null && uses.getOrDefault(array, 0) == 1) {
              fills.add(at);
            }
          }
          if (fills.isEmpty() || !isOverwritten(stms.get(i), w, k)) {
            continue;
          }
          for (int at : fills) {
            stms.set(at, blank(stms.get(at)));
          }
          changed = true;
        }
      }
      if (stms.get(i).exp() instanceof BasicOp.Replicate) {
        definers.put(stms.get(i).names().get(0), i);
      }
    }
    return changed ? new Body(stms, all.results()) : all;
  }

  private static Stm blank(Stm fill) {
    Type t = fill.pat().get(0).type();
    return fill.withExp(new BasicOp.Scratch(t.elemPrim(), t.dims()));
  }

  /** Tests whether the updates overwrite all elements of an accumulator. */
  private boolean isOverwritten(Stm s, Exp.WithAcc w, int k) {
    Name token = w.lambda().params().get(k).name();
    String why = "not every iteration of one operation writes";
    for (Stm t : w.lambda().body().stms()) {
      if (!(t.exp() instanceof Soac.Screma x)) {
        continue;
      }
      for (BasicOp.UpdateAcc u : IndexProofs.direct(x, token)) {
        why = proofs.missed(u, proofs.iterations(x));
        if (why != null) {
          continue;
        }
        if (!remarks.mayGoOn()) {
          return false;
        }
        remarks.proved(s, written(token) + " is not filled: all of it is written");
        return true;
      }
    }
    remarks.missed(s, written(token) + " is filled: " + why);
    return false;
  }

  private String written(Name token) {
    return "[" + written.getOrDefault(token, token) + "]";
  }

  @Override
  public Stm stm(Stm s) {
    switch (s.exp()) {
      case Exp.WithAcc w -> {
        int at = 0;
        for (int k = 0; k < w.inputs().size(); k++) {
          written.put(w.lambda().params().get(k).name(), s.pat().get(at).name());
          at += w.inputs().get(k).arrays().size();
        }
      }
      case BasicOp.UpdateAcc u when iterations != null && !u.inRange() -> {
        return inRange(s, u, iterations);
      }
      default -> {}
    }
    return super.stm(s);
  }

  private Stm inRange(Stm s, BasicOp.UpdateAcc u, Iterations here) {
    Name token = ((Type.Acc) s.pat().get(0).type()).token();
    String why = proofs.outside(u, here);
    if (why != null) {
      remarks.missed(s, "indices of the write of " + written(token) + " are checked: " + why);
      return s;
    }
    if (!remarks.mayGoOn()) {
      return s;
    }
    remarks.proved(
        s, "indices of the write of " + written(token) + " are not checked: they are in range");
    return s.withExp(new BasicOp.UpdateAcc(true, u.acc(), u.index(), u.values()));
  }

  @Override
  public Exp exp(Exp e) {
    boolean updates =
        e instanceof Soac.Screma x
            && x.map().params().stream().anyMatch(p -> p.type() instanceof Type.Acc);
    if (!updates) {
      return super.exp(e);
    }
    Iterations outer = iterations;
    iterations = proofs.iterations((Soac.Screma) e);
    Exp inner = super.exp(e);
    iterations = outer;
    return inner;
  }
}
