package futharkc.pass.writefusion;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.symbolic.Iterations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Combines two writes of one array. The updates within one operation are unordered, so the writes
 * must not have a common index. If both writes have the same index in every iteration, the first is
 * removed.
 *
 * <pre>{@code
 * let b = with_acc acc([k], {a}) ... screma(n, {acc, is, vs})
 * let c = with_acc acc([k], {b}) ... screma(n, {acc, is, ws})
 * =>
 * let c = with_acc acc([k], {a}) ... screma(n, {acc, is, ws})
 * }</pre>
 */
final class SameTarget {
  private final Stm first;
  private final Stm second;
  private final Exp.WithAcc one;
  private final Exp.WithAcc other;
  private boolean overwritten;

  private SameTarget(Stm first, Stm second, Exp.WithAcc one, Exp.WithAcc other) {
    this.first = first;
    this.second = second;
    this.one = one;
    this.other = other;
  }

  /**
   * Returns the pair of accumulations if the second writes exactly the arrays that the first has
   * written; else null.
   */
  static @Nullable SameTarget of(Stm first, Stm second) {
    if (!(first.exp() instanceof Exp.WithAcc one)) {
      return null;
    }
    if (!(second.exp() instanceof Exp.WithAcc other)) {
      return null;
    }
    if (one.inputs().size() != 1 || other.inputs().size() != 1) {
      return null;
    }
    return other.inputs().get(0).arrays().equals(first.names())
        ? new SameTarget(first, second, one, other)
        : null;
  }

  /** Tests whether the second write overwrites all updates of the first. */
  boolean isOverwritten() {
    return overwritten;
  }

  /** Returns the obstacle to a combination, or null. */
  @Nullable String obstacle(IndexProofs proofs) {
    proofs.learn(new Body(List.of(first, second), List.of()));
    if (one.inputs().get(0).op() != null || other.inputs().get(0).op() != null) {
      return "one has an operator";
    }
    if (!one.inputs().get(0).space().equals(other.inputs().get(0).space())) {
      return "they index different dimensions";
    }
    BasicOp.UpdateAcc a = update(one);
    BasicOp.UpdateAcc b = update(other);
    if (a == null || b == null) {
      return "one contains several operations";
    }
    Iterations iterations = proofs.iterations(operation(one));
    if (!iterations.join(operation(other))) {
      return "their widths differ";
    }
    overwritten = proofs.same(a, b, iterations);
    if (overwritten) {
      return null;
    }
    String shared = proofs.shared(a, b, iterations);
    if (shared != null) {
      return "both write the same array, and their indices may be equal: " + shared;
    }
    Stm inOne = one.lambda().body().stms().get(0);
    return Composition.obstacle(inOne, other.lambda().body().stms().get(0));
  }

  /**
   * Returns the only update of an accumulation, if every iteration of its only operation makes it;
   * else null.
   */
  private static BasicOp.@Nullable UpdateAcc update(Exp.WithAcc w) {
    if (w.lambda().body().stms().size() != 1) {
      return null;
    }
    if (!(w.lambda().body().stms().get(0).exp() instanceof Soac.Screma x)) {
      return null;
    }
    Name token = w.lambda().params().get(0).name();
    List<BasicOp.UpdateAcc> updates = IndexProofs.direct(x, token);
    return updates.size() == 1 && IndexProofs.onlyDirect(x, token) ? updates.get(0) : null;
  }

  private static Soac.Screma operation(Exp.WithAcc w) {
    return (Soac.Screma) w.lambda().body().stms().get(0).exp();
  }

  /** Returns one write in place of both, if there is no obstacle; null if scans prevent it. */
  @Nullable Stm fused(Aliases aliases, NameSource names) {
    if (overwritten) {
      Exp.WithAcc w = new Exp.WithAcc(one.inputs(), other.lambda());
      return new Stm(second.pat(), second.aux().and(first.aux()), w);
    }
    Map<Name, SubExp> inside = new HashMap<>();
    inside.put(
        other.lambda().params().get(0).name(), SubExp.of(one.lambda().params().get(0).name()));
    inside.put(other.lambda().params().get(1).name(), one.lambda().body().results().get(0));
    Body then = new Substitution(inside).body(other.lambda().body());
    Stm a = one.lambda().body().stms().get(0);
    Stm both = Composition.of(a, then.stms().get(0), n -> false, aliases, names);
    if (both == null) {
      return null;
    }
    Lambda lambda =
        new Lambda(
            one.lambda().params(),
            new Body(new ArrayList<>(List.of(both)), then.results()),
            new Substitution(inside).types(other.lambda().results()));
    Exp.WithAcc w = new Exp.WithAcc(one.inputs(), lambda);
    return new Stm(second.pat(), second.aux().and(first.aux()), w);
  }
}
