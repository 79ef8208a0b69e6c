package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A variable that is bound: by a pattern or as a parameter. */
abstract sealed class Out {
  final int slot;

  Out(int slot) {
    this.slot = slot;
  }

  /** Binds it to a scalar. */
  void scalar(Frame f, long v) {
    throw new Fault("a scalar is bound to a variable that is none");
  }

  /** Binds it to a scalar with what derivatives need to know of it. */
  void number(Frame f, Num n) {
    if (n instanceof Num.Derived) throw new Fault("a derivative is taken of what is not active");
    scalar(f, n.bits());
  }

  /** Binds it to the scalar at a position of an array's memory. */
  void load(Frame f, View v, long position) {
    scalar(f, v.get(position));
  }

  /** Binds it to an existing array, block or accumulator. */
  void object(Frame f, Object v) {
    throw new Fault("an array is bound to a scalar variable");
  }

  /** Binds it to the value of an array, at the place where the variable's array has to be. */
  void operand(Frame f, View v) {
    object(f, v);
  }

  /** Binds it to a new array, or to one at the place in memory that its type says; returns that. */
  View fresh(Frame f) {
    throw new Fault("a new array is bound to a variable that is none");
  }

  boolean isScalar() {
    return false;
  }

  /** Binds it to the value of an operand. */
  void bind(Frame f, In v, Frame from) {
    object(f, v.object(from));
  }

  /** A scalar variable. */
  static sealed class Scalar extends Out {
    Scalar(int slot) {
      super(slot);
    }

    @Override
    boolean isScalar() {
      return true;
    }

    @Override
    void scalar(Frame f, long v) {
      f.scalars[slot] = v;
    }

    @Override
    void bind(Frame f, In v, Frame from) {
      scalar(f, v.scalar(from));
    }
  }

  /** A scalar variable that may have derivatives. */
  static final class ActiveScalar extends Scalar {
    ActiveScalar(int slot) {
      super(slot);
    }

    @Override
    void scalar(Frame f, long v) {
      f.number(slot, v, null);
    }

    @Override
    void number(Frame f, Num n) {
      f.number(slot, n.bits(), n instanceof Num.Derived d ? d : null);
    }

    @Override
    void load(Frame f, View v, long position) {
      f.number(slot, v.get(position), v.derived(position));
    }

    @Override
    void bind(Frame f, In v, Frame from) {
      f.number(slot, v.scalar(from), v.derived(from));
    }
  }

  /** A memory block. */
  static final class Memory extends Out {
    Memory(int slot) {
      super(slot);
    }

    @Override
    void object(Frame f, Object v) {
      f.objects[slot] = (Block) v;
    }
  }

  /** An accumulator, which is kept under its token too. */
  static final class Acc extends Out {
    private final int tokenSlot;

    Acc(int slot, int tokenSlot) {
      super(slot);
      this.tokenSlot = tokenSlot;
    }

    @Override
    void object(Frame f, Object v) {
      f.objects[slot] = (Accumulator) v;
      f.objects[tokenSlot] = v;
    }

    /** Binds it to the accumulator of its token, of which there is one. */
    void again(Frame f) {
      Object o = f.objects[tokenSlot];
      if (o == null) throw new Fault("there is no accumulator of that token");
      f.objects[slot] = o;
    }
  }

  /** An array. */
  static final class Array extends Out {
    private final String name;
    private final PrimType elem;
    private final In[] dims;
    private final @Nullable Place place;
    private final Device device;
    private final boolean active;

    /** Active if the elements may have derivatives. */
    Array(
        String name,
        int slot,
        PrimType elem,
        In[] dims,
        @Nullable Place place,
        Device device,
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

    long[] shape(Frame f) {
      long[] shape = new long[dims.length];
      for (int d = 0; d < shape.length; d++) shape[d] = dims[d].scalar(f);
      return shape;
    }

    @Override
    void object(Frame f, Object v) {
      View view = (View) v;
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
        View said = place.view(f, elem, view.shape());
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

    /** Binds it to an array of whatever shape. */
    void only(Frame f, View v) {
      if (place != null) throw new Fault("the type says where in memory the array is");
      f.objects[slot] = active ? v.active() : v;
    }

    @Override
    void operand(Frame f, View v) {
      if (place == null) object(f, v);
      else fresh(f).assign(v);
    }

    @Override
    View fresh(Frame f) {
      long[] shape = shape(f);
      View v =
          place == null ? View.whole(scratch(View.size(shape)), shape) : there(place, f, shape);
      f.objects[slot] = v;
      return v;
    }

    private View there(Place at, Frame f, long[] shape) {
      View v = at.view(f, elem, shape);
      if (!device.isTagged() || active) return v;
      return new View(at.block(f).tagged(elem, name), v.offset(), shape, v.strides());
    }

    private Store scratch(long size) {
      Store s = Store.scratch(elem, size);
      if (active) return new Active(s);
      return device.isWatched() ? new RaceCheckedMemory(s, device) : s;
    }

    /** The array at the place in memory that the type says; null if it says none. */
    @Nullable View said(Frame f) {
      return place == null ? null : place.view(f, elem, shape(f));
    }
  }

  /** Where an array is in memory. */
  record Place(In block, Instruction.Poly offset, Instruction.Poly[] strides) {
    View view(Frame f, PrimType elem, long[] shape) {
      long[] s = new long[strides.length];
      for (int d = 0; d < s.length; d++) s[d] = strides[d].value(f);
      return new View(block(f).store(elem), offset.value(f), shape, s);
    }

    Block block(Frame f) {
      return (Block) block.object(f);
    }
  }
}
