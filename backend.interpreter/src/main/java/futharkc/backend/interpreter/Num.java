package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * A scalar under differentiation. Derivatives nest: the level of a derivative is greater than the
 * levels of its enclosing derivatives. The derivatives of a scalar at one level are scalars of
 * lower levels.
 */
sealed interface Num {
  /** Returns the value in the format of {@link ScalarOps}. */
  long bits();

  /** Returns the level of the innermost derivative that tracks this scalar; 0 if none does. */
  long level();

  /** Returns this scalar as the code outside the derivative of a level sees it. */
  default Num below(long level) {
    Num n = this;
    while (n instanceof Derived d && d.level() >= level) {
      n = d.primal();
    }
    return n;
  }

  /** Returns {@link #below(long)} of each scalar. */
  static Num[] below(Num[] all, long level) {
    Num[] below = new Num[all.length];
    for (int i = 0; i < below.length; i++) {
      below[i] = all[i].below(level);
    }
    return below;
  }

  /** A scalar that no derivative tracks. */
  record Const(long bits) implements Num {
    /** The zero of every type. */
    static final Num ZERO = new Const(0);

    @Override
    public long level() {
      return 0;
    }
  }

  /** A scalar that some derivative tracks. */
  sealed interface Derived extends Num permits Dual, OperationTape.Node {
    /** Returns the scalar one level further out. */
    Num primal();

    @Override
    default long bits() {
      return primal().bits();
    }
  }

  /**
   * A dual number of a forward derivative.
   *
   * @param level the level of the derivative
   * @param primal the scalar one level further out
   * @param tangents the tangent of each direction; null stands for zero
   */
  record Dual(long level, Num primal, @Nullable Num[] tangents) implements Derived {
    /**
     * Applies an operation to operands among which are dual numbers of a level, and none of a
     * higher level.
     */
    static Num apply(Operation op, Num[] x, Dual like) {
      long level = like.level;
      Num[] primals = Num.below(x, level);
      Num y = op.apply(primals);
      @Nullable Num[] tangents = new Num[like.tangents.length];
      boolean constant = true;
      for (int i = 0; i < x.length; i++) {
        if (!(x[i] instanceof Dual d && d.level == level)) {
          continue;
        }
        Partial p = Partials.of(op, i, primals, y);
        if (p.isZero()) {
          continue;
        }
        constant = false;
        for (int k = 0; k < tangents.length; k++) {
          Num t = d.tangents[k];
          if (t == null) {
            continue;
          }
          Num part = p.forwards(t);
          Num sum = tangents[k];
          tangents[k] = sum == null ? part : new NumArithmetic(op.result()).add(sum, part);
        }
      }
      return constant ? y : new Dual(level, y, tangents);
    }
  }
}
