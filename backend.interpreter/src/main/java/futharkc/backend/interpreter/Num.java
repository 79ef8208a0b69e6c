package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * A scalar while derivatives are taken. Derivatives nest; the level of one is greater than those of
 * the derivatives around it, and what is said here of a scalar at a level is in terms of scalars of
 * lower levels.
 */
sealed interface Num {
  /** The value, as {@link ScalarOps} has it. */
  long bits();

  /** The level of the innermost derivative that depends on this; 0 if none does. */
  long level();

  /** What is known of the scalar outside the derivative of a level. */
  default Num below(long level) {
    Num n = this;
    while (n instanceof Derived d && d.level() >= level) n = d.primal();
    return n;
  }

  /** As {@link #below} of each. */
  static Num[] below(Num[] all, long level) {
    Num[] below = new Num[all.length];
    for (int i = 0; i < below.length; i++) below[i] = all[i].below(level);
    return below;
  }

  /** Nothing depends on it. */
  record Const(long bits) implements Num {
    /** Zero of every type. */
    static final Num ZERO = new Const(0);

    @Override
    public long level() {
      return 0;
    }
  }

  /** Some derivative depends on it. */
  sealed interface Derived extends Num permits Dual, Tape.Node {
    /** The scalar one level further out. */
    Num primal();

    @Override
    default long bits() {
      return primal().bits();
    }
  }

  /**
   * A dual number, of forward derivatives.
   *
   * @param tangents one for each direction; null is zero
   */
  record Dual(long level, Num primal, @Nullable Num[] tangents) implements Derived {
    /** Applies an operation of which some operands are dual numbers of a level, none higher. */
    static Num apply(Operation op, Num[] x, Dual like) {
      long level = like.level;
      Num[] primals = Num.below(x, level);
      Num y = op.apply(primals);
      @Nullable Num[] tangents = new Num[like.tangents.length];
      boolean constant = true;
      for (int i = 0; i < x.length; i++) {
        if (!(x[i] instanceof Dual d && d.level == level)) continue;
        Partial p = Partials.of(op, i, primals, y);
        if (p.isZero()) continue;
        constant = false;
        for (int k = 0; k < tangents.length; k++) {
          Num t = d.tangents[k];
          if (t == null) continue;
          Num part = p.forwards(t);
          Num sum = tangents[k];
          tangents[k] = sum == null ? part : new Arithmetic(op.result()).add(sum, part);
        }
      }
      return constant ? y : new Dual(level, y, tangents);
    }
  }
}
