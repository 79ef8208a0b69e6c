package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A variable that is bound by a pattern or as a parameter. */
abstract sealed class Destination {
  final int slot;

  Destination(int slot) {
    this.slot = slot;
  }

  /** Binds the variable to a scalar. */
  void scalar(CallFrame f, long v) {
    throw new Fault("a scalar is bound to a variable of another kind");
  }

  /** Binds the variable to a scalar with its derivatives. */
  void number(CallFrame f, Num n) {
    if (n instanceof Num.Derived) {
      throw new Fault("a scalar with a derivative is stored where only values are kept");
    }
    scalar(f, n.bits());
  }

  /** Binds the variable to the scalar at a position in an array's memory. */
  void load(CallFrame f, ArrayView v, long position) {
    scalar(f, v.get(position));
  }

  /** Binds the variable to an existing array, block or accumulator. */
  void object(CallFrame f, Object v) {
    throw new Fault("an array is bound to a scalar variable");
  }

  /**
   * Binds the variable to the value of an array. If the variable's type has a memory annotation,
   * the array is copied there.
   */
  void operand(CallFrame f, ArrayView v) {
    object(f, v);
  }

  /**
   * Binds the variable to a new array, in the memory of the annotation if its type has one, and
   * returns the array.
   */
  ArrayView fresh(CallFrame f) {
    throw new Fault("a new array is bound to a variable of another kind");
  }

  boolean isScalar() {
    return false;
  }

  /** Binds the variable to the value of an operand of another frame. */
  void bind(CallFrame f, Operand v, CallFrame from) {
    object(f, v.object(from));
  }

  /** A scalar variable. */
  static sealed class Scalar extends Destination {
    Scalar(int slot) {
      super(slot);
    }

    @Override
    boolean isScalar() {
      return true;
    }

    @Override
    void scalar(CallFrame f, long v) {
      f.scalars[slot] = v;
    }

    @Override
    void bind(CallFrame f, Operand v, CallFrame from) {
      scalar(f, v.scalar(from));
    }
  }

  /** A scalar variable that may have derivatives. */
  static final class ActiveScalar extends Scalar {
    ActiveScalar(int slot) {
      super(slot);
    }

    @Override
    void scalar(CallFrame f, long v) {
      f.number(slot, v, null);
    }

    @Override
    void number(CallFrame f, Num n) {
      f.number(slot, n.bits(), n instanceof Num.Derived d ? d : null);
    }

    @Override
    void load(CallFrame f, ArrayView v, long position) {
      f.number(slot, v.get(position), v.derived(position));
    }

    @Override
    void bind(CallFrame f, Operand v, CallFrame from) {
      f.number(slot, v.scalar(from), v.derived(from));
    }
  }

  /** A memory block. */
  static final class Memory extends Destination {
    Memory(int slot) {
      super(slot);
    }

    @Override
    void object(CallFrame f, Object v) {
      f.objects[slot] = (Block) v;
    }
  }

  /** An accumulator, stored in its own slot and in the slot of its token. */
  static final class Acc extends Destination {
    private final int tokenSlot;

    Acc(int slot, int tokenSlot) {
      super(slot);
      this.tokenSlot = tokenSlot;
    }

    @Override
    void object(CallFrame f, Object v) {
      f.objects[slot] = (Accumulator) v;
      f.objects[tokenSlot] = v;
    }

    /** Binds the variable to the only accumulator of its token. */
    void again(CallFrame f) {
      Object o = f.objects[tokenSlot];
      if (o == null) {
        throw new Fault("there is no accumulator of that token");
      }
      f.objects[slot] = o;
    }
  }

  /** An array. */
  static final class Array extends Destination {
    private final String name;
    private final PrimType elem;
    private final Operand[] dims;
    private final @Nullable Place place;
    private final DeviceState device;
    private final boolean active;

    /**
     * Creates an array variable.
     *
     * @param active true if the elements may have derivatives
     */
    Array(
        String name,
        int slot,
        PrimType elem,
        Operand[] dims,
        @Nullable Place place,
        DeviceState device,
        boolean active) {
      super(slot);
      this.name = name;
      this.elem = elem;
      this.dims = dims;
      this.place = place;
      this.device = device;
      this.active = active;
    }

    PrimType elem() {
      return elem;
    }

    long[] shape(CallFrame f) {
      long[] shape = new long[dims.length];
      for (int d = 0; d < shape.length; d++) {
        shape[d] = dims[d].scalar(f);
      }
      return shape;
    }

    @Override
    void object(CallFrame f, Object v) {
      ArrayView view = (ArrayView) v;
      for (int d = 0; d < dims.length; d++) {
        if (view.shape()[d] != dims[d].scalar(f)) {
          throw new Fault(
              "the type says shape "
                  + Arrays.toString(shape(f))
                  + ", the array has "
                  + Arrays.toString(view.shape()));
        }
      }
      if (place != null) {
        ArrayView said = place.view(f, elem, view.shape());
        if (!said.samePlace(view)) {
          throw new Fault(
              "the type says offset "
                  + said.offset()
                  + ", strides "
                  + Arrays.toString(said.strides())
                  + (said.store().base() == view.store().base() ? "" : " of another block")
                  + "; the array has offset "
                  + view.offset()
                  + ", strides "
                  + Arrays.toString(view.strides()));
        }
      }
      f.objects[slot] = active ? view.active() : view;
    }

    /** Binds the variable to an array of any shape. */
    void only(CallFrame f, ArrayView v) {
      if (place != null) {
        throw new Fault("the type says where in memory the array is");
      }
      f.objects[slot] = active ? v.active() : v;
    }

    @Override
    void operand(CallFrame f, ArrayView v) {
      if (place == null) {
        object(f, v);
      } else {
        fresh(f).assign(v);
      }
    }

    @Override
    ArrayView fresh(CallFrame f) {
      long[] shape = shape(f);
      ArrayView v =
          place == null
              ? ArrayView.whole(scratch(ArrayView.size(shape)), shape)
              : there(place, f, shape);
      f.objects[slot] = v;
      return v;
    }

    private ArrayView there(Place at, CallFrame f, long[] shape) {
      ArrayView v = at.view(f, elem, shape);
      if (!device.isTagged() || active) {
        return v;
      }
      return new ArrayView(at.block(f).tagged(elem, name), v.offset(), shape, v.strides());
    }

    private Store scratch(long size) {
      Store s = Store.scratch(elem, size);
      if (active) {
        return new ActiveStore(s);
      }
      return device.isWatched() ? new RaceCheckedStore(s, device) : s;
    }

    /**
     * Returns the array that the memory annotation of the type describes; null if the type has
     * none.
     */
    @Nullable ArrayView said(CallFrame f) {
      return place == null ? null : place.view(f, elem, shape(f));
    }
  }

  /** A memory annotation: a block, an offset and strides. */
  record Place(Operand block, Instruction.Poly offset, Instruction.Poly[] strides) {
    ArrayView view(CallFrame f, PrimType elem, long[] shape) {
      long[] s = new long[strides.length];
      for (int d = 0; d < s.length; d++) {
        s[d] = strides[d].value(f);
      }
      return new ArrayView(block(f).store(elem), offset.value(f), shape, s);
    }

    Block block(CallFrame f) {
      return (Block) block.object(f);
    }
  }
}
