package futharkc.core.ir;

import java.util.List;

/** Expressions without bodies. All sizes, indices and strides are i64. */
public sealed interface BasicOp extends Exp {
  /** A copy of a scalar, or another name for an array. */
  record SubExpOp(SubExp value) implements BasicOp {}

  /**
   * The operand, about which the optimiser must assume nothing. The tag may ask for tracing or a
   * breakpoint.
   */
  record Opaque(Tag tag, SubExp value) implements BasicOp {}

  /** A constant array, row-major. */
  record ArrayVal(List<PrimValue> values, PrimType elem) implements BasicOp {
    public ArrayVal {
      values = List.copyOf(values);
    }
  }

  /** A fresh array of the given elements, all of the row type. */
  record ArrayLit(List<SubExp> elems, Type row) implements BasicOp {
    public ArrayLit {
      elems = List.copyOf(elems);
    }
  }

  record BinOpExp(BinOp op, SubExp left, SubExp right) implements BasicOp {}

  record UnOpExp(UnOp op, SubExp operand) implements BasicOp {}

  record CmpOpExp(CmpOp op, SubExp left, SubExp right) implements BasicOp {}

  record ConvOpExp(ConvOp op, SubExp operand) implements BasicOp {}

  record PrimFunExp(PrimFun fun, List<SubExp> args) implements BasicOp {
    public PrimFunExp {
      args = List.copyOf(args);
    }
  }

  /**
   * A certificate: a unit value if the condition is true. If the condition is false, the program
   * stops with the message.
   *
   * @param trace the locations of the check and of the calls that lead to it, innermost first
   */
  record Assert(SubExp cond, List<MsgPart> message, List<Loc> trace) implements BasicOp {
    public Assert {
      message = List.copyOf(message);
      trace = List.copyOf(trace);
    }
  }

  /** A part of a message. */
  sealed interface MsgPart {
    /** Fixed text. */
    record Text(String text) implements MsgPart {}

    /**
     * A value, printed without a type suffix.
     *
     * @param unsigned true to print an integer as unsigned
     */
    record Value(SubExp value, PrimType type, boolean unsigned) implements MsgPart {}
  }

  /** A scalar, or an array that aliases the operand. Indices are in range. */
  record Index(Name array, Slice slice) implements BasicOp {}

  /**
   * A copy of the array with the elements of a slice replaced. The statement consumes the array.
   * Indices are in range unless {@code safe} is true, in which case an update out of range has no
   * effect.
   */
  record Update(boolean safe, Name array, Slice slice, SubExp value) implements BasicOp {}

  /** An alias of selected elements of a one-dimensional array. */
  record FlatIndex(Name array, FlatSlice slice) implements BasicOp {}

  /** A one-dimensional array with selected elements replaced. The statement consumes the array. */
  record FlatUpdate(Name array, FlatSlice slice, Name value) implements BasicOp {}

  /**
   * A fresh array, the concatenation of arrays along {@code dim}. {@code size} is the sum of their
   * sizes along {@code dim}.
   */
  record Concat(int dim, List<Name> arrays, SubExp size) implements BasicOp {
    public Concat {
      arrays = List.copyOf(arrays);
    }
  }

  /**
   * A fresh copy of the operand in another layout: row-major when the dimensions are taken in the
   * order of the permutation. The value is the same.
   */
  record Manifest(Name array, List<Integer> perm) implements BasicOp {
    public Manifest {
      perm = List.copyOf(perm);
    }
  }

  /** The array {@code start, start + stride, ...} of {@code count} elements of the integer type. */
  record Iota(SubExp count, SubExp start, SubExp stride, PrimType type) implements BasicOp {}

  /**
   * A fresh array of copies of a value. The shape precedes the value's own dimensions. With an
   * empty shape, the result is a copy of an array.
   */
  record Replicate(List<SubExp> shape, SubExp value) implements BasicOp {
    public Replicate {
      shape = List.copyOf(shape);
    }
  }

  /** A fresh array with unspecified contents. */
  record Scratch(PrimType elem, List<SubExp> shape) implements BasicOp {
    public Scratch {
      shape = List.copyOf(shape);
    }
  }

  /**
   * The elements of an array in row-major order at another shape with the same element count. The
   * result may alias the operand.
   *
   * @param coerce true if the new sizes equal the old ones unless there are no elements, so that
   *     only the names of sizes change
   */
  record Reshape(boolean coerce, Name array, List<SubExp> shape) implements BasicOp {
    public Reshape {
      shape = List.copyOf(shape);
    }
  }

  /**
   * A transposition: dimension i of the result is dimension {@code perm.get(i)} of the operand. The
   * result aliases the operand.
   */
  record Rearrange(Name array, List<Integer> perm) implements BasicOp {
    public Rearrange {
      perm = List.copyOf(perm);
    }
  }

  /**
   * An accumulator after one update at an index. The statement consumes the accumulator. An update
   * out of range has no effect.
   *
   * @param inRange true if the index is known to be in range
   */
  record UpdateAcc(boolean inRange, Name acc, List<SubExp> index, List<SubExp> values)
      implements BasicOp {
    public UpdateAcc {
      index = List.copyOf(index);
      values = List.copyOf(values);
    }

    /** Makes an update whose index may be out of range. */
    public UpdateAcc(Name acc, List<SubExp> index, List<SubExp> values) {
      this(false, acc, index, values);
    }
  }

  /** The i64 tuning parameter with the given name. */
  record UserParam(String name, SubExp defaultValue) implements BasicOp {}

  /** The purpose of an {@link Opaque}. */
  sealed interface Tag {
    /** A barrier for the optimiser. */
    record Barrier() implements Tag {}

    /**
     * A request to print the value when it is evaluated.
     *
     * @param text the beginning of the printed line
     * @param unsigned true to print integers as unsigned
     */
    record Trace(String text, boolean unsigned) implements Tag {}

    /**
     * An operand of an event for a debugger. Targets without a debugger ignore it.
     *
     * @param event the number of the event
     */
    record Break(int event) implements Tag {}
  }
}
