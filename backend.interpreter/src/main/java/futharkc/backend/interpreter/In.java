package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/** An operand: a scalar, or something else. The other of the two methods fails. */
abstract class In {
  abstract boolean isScalar();

  long scalar(Frame f) {
    throw new Fault("a scalar was expected");
  }

  /** What derivatives need to know of a scalar besides its value; null if that is constant. */
  Num.@Nullable Derived derived(Frame f) {
    return null;
  }

  final Num number(Frame f) {
    Num.Derived d = derived(f);
    return d == null ? new Num.Const(scalar(f)) : d;
  }

  Object object(Frame f) {
    throw new Fault("an array was expected");
  }

  final View view(Frame f) {
    return (View) object(f);
  }

  /** A constant. */
  static In constant(long bits) {
    return new In() {
      @Override
      boolean isScalar() {
        return true;
      }

      @Override
      long scalar(Frame f) {
        return bits;
      }
    };
  }

  /** A scalar variable of the running call. */
  static In scalarAt(int slot) {
    return new In() {
      @Override
      boolean isScalar() {
        return true;
      }

      @Override
      long scalar(Frame f) {
        return f.scalars[slot];
      }

      @Override
      Num.@Nullable Derived derived(Frame f) {
        return f.derived(slot);
      }
    };
  }

  /** Another variable of the running call. */
  static In objectAt(int slot) {
    return new In() {
      @Override
      boolean isScalar() {
        return false;
      }

      @Override
      Object object(Frame f) {
        Object o = f.objects[slot];
        if (o == null) throw new Fault("a variable is used before it has a value");
        return o;
      }
    };
  }

  /** A variable of another frame: a constant of the program. */
  static In of(Frame global, In local) {
    return new In() {
      @Override
      boolean isScalar() {
        return local.isScalar();
      }

      @Override
      long scalar(Frame f) {
        return local.scalar(global);
      }

      @Override
      Num.@Nullable Derived derived(Frame f) {
        return local.derived(global);
      }

      @Override
      Object object(Frame f) {
        return local.object(global);
      }
    };
  }
}
