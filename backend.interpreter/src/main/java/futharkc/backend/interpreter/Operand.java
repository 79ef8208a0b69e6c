package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * An operand: a scalar, or an object (array, block or accumulator). The accessors for the other
 * sort throw an exception.
 */
abstract class Operand {
  abstract boolean isScalar();

  long scalar(CallFrame f) {
    throw new Fault("a scalar was expected");
  }

  /** Returns the derivatives of a scalar; null if the scalar is constant. */
  Num.@Nullable Derived derived(CallFrame f) {
    return null;
  }

  final Num number(CallFrame f) {
    Num.Derived d = derived(f);
    return d == null ? new Num.Const(scalar(f)) : d;
  }

  Object object(CallFrame f) {
    throw new Fault("an array was expected");
  }

  final ArrayView view(CallFrame f) {
    return (ArrayView) object(f);
  }

  /** Returns a constant. */
  static Operand constant(long bits) {
    return new Operand() {
      @Override
      boolean isScalar() {
        return true;
      }

      @Override
      long scalar(CallFrame f) {
        return bits;
      }
    };
  }

  /** Returns a scalar variable of the current frame. */
  static Operand scalarAt(int slot) {
    return new Operand() {
      @Override
      boolean isScalar() {
        return true;
      }

      @Override
      long scalar(CallFrame f) {
        return f.scalars[slot];
      }

      @Override
      Num.@Nullable Derived derived(CallFrame f) {
        return f.derived(slot);
      }
    };
  }

  /** Returns an object variable of the current frame. */
  static Operand objectAt(int slot) {
    return new Operand() {
      @Override
      boolean isScalar() {
        return false;
      }

      @Override
      Object object(CallFrame f) {
        Object o = f.objects[slot];
        if (o == null) {
          throw new Fault("a variable is used before it has a value");
        }
        return o;
      }
    };
  }

  /** Returns a variable of another frame: a constant of the program. */
  static Operand of(CallFrame global, Operand local) {
    return new Operand() {
      @Override
      boolean isScalar() {
        return local.isScalar();
      }

      @Override
      long scalar(CallFrame f) {
        return local.scalar(global);
      }

      @Override
      Num.@Nullable Derived derived(CallFrame f) {
        return local.derived(global);
      }

      @Override
      Object object(CallFrame f) {
        return local.object(global);
      }
    };
  }
}
