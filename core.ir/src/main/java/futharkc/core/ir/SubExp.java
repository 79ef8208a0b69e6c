package futharkc.core.ir;

/** An operand: a constant or a variable. */
public sealed interface SubExp {
  /** A constant. */
  record Const(PrimValue value) implements SubExp {
    @Override
    public boolean isInt(long n) {
      return value.type().isInt() && value.bits() == n;
    }

    @Override
    public String toString() {
      return value.toString();
    }
  }

  /** A variable. */
  record Var(Name name) implements SubExp {
    @Override
    public boolean isInt(long n) {
      return false;
    }

    @Override
    public String toString() {
      return name.toString();
    }
  }

  SubExp TRUE = new Const(PrimValue.TRUE);
  SubExp FALSE = new Const(PrimValue.FALSE);

  static SubExp of(Name name) {
    return new Var(name);
  }

  static SubExp of(PrimValue value) {
    return new Const(value);
  }

  /** Returns an i64 constant. */
  static SubExp i64(long value) {
    return new Const(PrimValue.i64(value));
  }

  /** Tests whether this operand is the given integer constant, of any width. */
  boolean isInt(long n);
}
