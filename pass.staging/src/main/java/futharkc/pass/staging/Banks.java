package futharkc.pass.staging;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A count of the strides in which adjacent threads access matrices. If the row grows by {@code r}
 * and the column by {@code c} from thread to thread, the accessed elements are {@code r * row + c}
 * words apart. An odd distance avoids bank conflicts.
 */
final class Banks extends Mapper {
  /** The maximum number of operations through which an index is followed. */
  private static final int DEPTH = 16;

  private final Set<Name> matrices;
  private final int trips;
  private final Map<Name, Stm> definitions = new HashMap<>();
  private final Map<Name, Name> accumulated = new HashMap<>();
  private @Nullable Name thread;
  private long times = 1;
  private long even;
  private long odd;

  /**
   * Creates a count.
   *
   * @param matrices the matrices to examine
   * @param trips the assumed trip count of loops
   */
  Banks(Set<Name> matrices, int trips) {
    this.matrices = matrices;
    this.trips = trips;
  }

  /**
   * Returns true if rows should have an even number of words, false for an odd number, null if it
   * does not matter.
   */
  @Nullable Boolean wantsEvenRows() {
    return even == odd ? null : even > odd;
  }

  @Override
  public SegOp segOp(SegOp op) {
    Name outer = thread;
    if (op.level() instanceof SegLevel.ThreadInBlock) {
      thread = op.space().dims().getLast().index();
    }
    SegOp same = super.segOp(op);
    thread = outer;
    return same;
  }

  @Override
  public Exp exp(Exp e) {
    switch (e) {
      case Exp.Loop _ -> times *= trips;
      case Exp.WithAcc w -> {
        for (int k = 0; k < w.inputs().size(); k++) {
          if (w.inputs().get(k).arrays().size() != 1) {
            continue;
          }
          int token = w.lambda().params().size() - w.inputs().size();
          accumulated.put(
              w.lambda().params().get(token + k).name(), w.inputs().get(k).arrays().get(0));
        }
      }
      default -> {}
    }
    Exp same = super.exp(e);
    if (e instanceof Exp.Loop) {
      times /= trips;
    }
    return same;
  }

  @Override
  public Stm stm(Stm s) {
    for (Name n : s.names()) {
      definitions.put(n, s);
    }
    switch (s.exp()) {
      case BasicOp.Index x when matrices.contains(x.array()) && x.slice().isElement() -> {
        List<SubExp> at = new ArrayList<>();
        for (Slice.Dim d : x.slice().dims()) {
          at.add(((Slice.Fix) d).index());
        }
        accessed(at);
      }
      case BasicOp.UpdateAcc x when matrices.contains(accumulated.getOrDefault(x.acc(), x.acc())) ->
          accessed(x.index());
      default -> {}
    }
    return super.stm(s);
  }

  private void accessed(List<SubExp> index) {
    if (thread == null || index.size() != 2) {
      return;
    }
    Long row = step(index.get(0), DEPTH);
    Long column = step(index.get(1), DEPTH);
    if (row == null || column == null || row % 2 == 0) {
      return;
    }
    if (column % 2 == 0) {
      odd += times;
    } else {
      even += times;
    }
  }

  /** Returns the difference of an index between adjacent threads; null if it is unknown. */
  private @Nullable Long step(SubExp e, int depth) {
    if (!(e instanceof SubExp.Var v)) {
      return 0L;
    }
    if (v.name().equals(thread)) {
      return 1L;
    }
    Stm s = definitions.get(v.name());
    if (s == null || depth == 0) {
      return s == null ? 0L : null;
    }
    return switch (s.exp()) {
      case BasicOp.SubExpOp x -> step(x.value(), depth - 1);
      case BasicOp.ConvOpExp x -> step(x.operand(), depth - 1);
      case BasicOp.BinOpExp x when x.op().kind() == BinOp.Kind.ADD -> both(x, Long::sum, depth);
      case BasicOp.BinOpExp x when x.op().kind() == BinOp.Kind.SUB ->
          both(x, (a, b) -> a - b, depth);
      case Exp.Match m -> ofBranches(m, s.names().indexOf(v.name()), depth);
      default -> null;
    };
  }

  private @Nullable Long both(BasicOp.BinOpExp x, LongBinaryOperator op, int depth) {
    Long a = step(x.left(), depth - 1);
    Long b = step(x.right(), depth - 1);
    return a == null || b == null ? null : (Long) op.applyAsLong(a, b);
  }

  /**
   * Returns the difference of a match's result, ignoring branches with a constant result, which
   * often means that nothing is written.
   */
  private @Nullable Long ofBranches(Exp.Match m, int result, int depth) {
    List<Body> bodies = new ArrayList<>();
    m.cases().forEach(c -> bodies.add(c.body()));
    bodies.add(m.otherwise());
    Long all = null;
    for (Body b : bodies) {
      SubExp r = b.results().get(result);
      if (r instanceof SubExp.Const) {
        continue;
      }
      Long one = step(r, depth - 1);
      if (one == null || all != null && !all.equals(one)) {
        return null;
      }
      all = one;
    }
    return all == null ? (Long) 0L : all;
  }
}
