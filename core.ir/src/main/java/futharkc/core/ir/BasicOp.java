package futharkc.core.ir;

import java.util.List;

/** Expressions without bodies. All sizes, indices and strides are i64. */
public sealed interface BasicOp extends Exp {
  /** A copy of a scalar, or another name for an array. */
  record SubExpOp(SubExp value) implements BasicOp {}

  /**
   * The operand, of which the optimiser may know nothing; tracing or a breakpoint when it has such
   * a tag.
   */
  record Opaque(Tag tag, SubExp value) implements BasicOp {}

  /** A constant array, row-major. */
  record ArrayVal(List<PrimValue> values, PrimType elem) implements BasicOp {
    public ArrayVal {
      values = List.copyOf(values);
    }
  }

  /** A fresh array of these elements, of the row type. */
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
   * A certificate: a unit value, if the condition is true; else the program stops with the message.
   *
   * @param trace where the check is, and from where that was reached, innermost first
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

    /** A value, printed without a type suffix; unsigned where marked. */
    record Value(SubExp value, PrimType type, boolean unsigned) implements MsgPart {}
  }

  /** A scalar, or an array that aliases the operand. Indices are in range. */
  record Index(Name array, Slice slice) implements BasicOp {}

  /**
   * The array with a part replaced; the array is consumed. Indices are in range unless {@code
   * safe}, which ignores others.
   */
  record Update(boolean safe, Name array, Slice slice, SubExp value) implements BasicOp {}

  /** An alias of a part of a one-dimensional array. */
  record FlatIndex(Name array, FlatSlice slice) implements BasicOp {}

  /** A one-dimensional array with a part replaced; it is consumed. */
  record FlatUpdate(Name array, FlatSlice slice, Name value) implements BasicOp {}

  /** A fresh array; {@code size} is the sum of the sizes along {@code dim}. */
  record Concat(int dim, List<Name> arrays, SubExp size) implements BasicOp {
    public Concat {
      arrays = List.copyOf(arrays);
    }
  }

  /**
   * A fresh copy, laid out so that the dimensions in the order of the permutation are row-major;
   * same value as the operand.
   */
  record Manifest(Name array, List<Integer> perm) implements BasicOp {
    public Manifest {
      perm = List.copyOf(perm);
    }
  }

  /** {@code start, start + stride, ...} of the integer type. */
  record Iota(SubExp count, SubExp start, SubExp stride, PrimType type) implements BasicOp {}

  /**
   * A fresh array with the shape in front of the value's own; with an empty shape, a copy of an
   * array.
   */
  record Replicate(List<SubExp> shape, SubExp value) implements BasicOp {
    public Replicate {
      shape = List.copyOf(shape);
    }
  }

  /** A fresh array of unspecified contents. */
  record Scratch(PrimType elem, List<SubExp> shape) implements BasicOp {
    public Scratch {
      shape = List.copyOf(shape);
    }
  }

  /**
   * The elements in row-major order at another shape of as many elements; may alias the operand.
   *
   * @param coerce the new sizes are known to equal the old ones, only named otherwise, unless there
   *     are no elements
   */
  record Reshape(boolean coerce, Name array, List<SubExp> shape) implements BasicOp {
    public Reshape {
      shape = List.copyOf(shape);
    }
  }

  /**
   * Dimension i of the result is dimension {@code perm.get(i)} of the operand, which it aliases.
   */
  record Rearrange(Name array, List<Integer> perm) implements BasicOp {
    public Rearrange {
      perm = List.copyOf(perm);
    }
  }

  /**
   * The accumulator, which is consumed, after an update at an index; ignored when the index is out
   * of range.
   *
   * @param inRange the index is known to be in range
   */
  record UpdateAcc(boolean inRange, Name acc, List<SubExp> index, List<SubExp> values)
      implements BasicOp {
    public UpdateAcc {
      index = List.copyOf(index);
      values = List.copyOf(values);
    }

    /** An update at an index of which nothing is known. */
    public UpdateAcc(Name acc, List<SubExp> index, List<SubExp> values) {
      this(false, acc, index, values);
    }
  }

  /** The i64 tuning parameter of that name. */
  record UserParam(String name, SubExp defaultValue) implements BasicOp {}

  /** What an {@link Opaque} is for. */
  sealed interface Tag {
    /** To stop optimisation. */
    record Barrier() implements Tag {}

    /** To print the value when it is evaluated. */
    record Trace(String text) implements Tag {}

    /** To stop a debugger; elsewhere nothing. */
    record Break() implements Tag {}
  }
}
