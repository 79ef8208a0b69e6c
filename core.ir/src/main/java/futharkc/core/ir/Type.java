package futharkc.core.ir;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The type of a variable. */
@SuppressWarnings("ClassInitializationDeadlock") // The driver initialises this class first.
public sealed interface Type {
  /** A scalar. */
  record Prim(PrimType prim) implements Type {}

  /**
   * An array with at least one dimension.
   *
   * @param shape the sizes, outermost first, each of type i64
   * @param mem the location of the elements; required in memory representations, null elsewhere
   */
  record Array(PrimType elem, List<SubExp> shape, @Nullable ArrayMem mem) implements Type {
    public Array {
      shape = List.copyOf(shape);
      if (shape.isEmpty()) {
        throw new IllegalArgumentException("array type without dimensions");
      }
    }

    /** Makes an array type without a memory annotation. */
    public Array(PrimType elem, List<SubExp> shape) {
      this(elem, shape, null);
    }
  }

  /**
   * An accumulator: write-only arrays inside a {@code WithAcc}.
   *
   * @param token the name, similar to a certificate, that identifies the {@code WithAcc}
   * @param space the sizes of the index space of updates
   * @param elems the types of the values written at an index: scalars, or arrays of the inner
   *     dimensions
   */
  record Acc(Name token, List<SubExp> space, List<Type> elems) implements Type {
    public Acc {
      space = List.copyOf(space);
      elems = List.copyOf(elems);
    }
  }

  /** A memory block. */
  record Mem(Space space) implements Type {}

  Type UNIT = new Prim(PrimType.UNIT);
  Type BOOL = new Prim(PrimType.BOOL);
  Type I32 = new Prim(PrimType.I32);
  Type I64 = new Prim(PrimType.I64);

  static Type prim(PrimType t) {
    return new Prim(t);
  }

  /**
   * Returns an array type with outer dimensions before those of the element type. Returns the
   * element type itself if the shape is empty.
   */
  static Type array(Type elem, List<SubExp> shape) {
    if (shape.isEmpty()) {
      return elem;
    }
    return switch (elem) {
      case Prim p -> new Array(p.prim, shape);
      case Array a -> {
        List<SubExp> all = new ArrayList<>(shape);
        all.addAll(a.shape);
        yield new Array(a.elem, all);
      }
      case Acc acc -> acc;
      case Mem m -> throw new IllegalArgumentException("array of memory blocks");
    };
  }

  /** Returns an array type with one outer dimension before those of the element type. */
  static Type array(Type elem, SubExp size) {
    return array(elem, List.of(size));
  }

  /** Returns the number of dimensions, which is 0 for types other than arrays. */
  default int rank() {
    return this instanceof Array a ? a.shape.size() : 0;
  }

  /** Returns the sizes, outermost first. The list is empty for types other than arrays. */
  default List<SubExp> dims() {
    return this instanceof Array a ? a.shape : List.of();
  }

  /** Returns the outermost size. */
  default SubExp outerSize() {
    return dims().get(0);
  }

  /** Returns the primitive type of a scalar or of an array's elements. */
  default PrimType elemPrim() {
    return switch (this) {
      case Prim p -> p.prim;
      case Array a -> a.elem;
      case Acc acc ->
          throw new IllegalStateException("accumulator " + acc + " has no element type");
      case Mem m -> throw new IllegalStateException("memory block has no element type");
    };
  }

  /** Returns the type without its outer {@code n} dimensions and without a memory annotation. */
  default Type peel(int n) {
    if (n == 0) {
      return this;
    }
    Array a = (Array) this;
    return n == a.shape.size()
        ? prim(a.elem)
        : new Array(a.elem, a.shape.subList(n, a.shape.size()));
  }

  /** Returns the type of a row, without a memory annotation. */
  default Type row() {
    return peel(1);
  }

  /**
   * Returns the array type with other sizes, one for each dimension, without a memory annotation.
   */
  default Type withShape(List<SubExp> shape) {
    return array(prim(elemPrim()), shape);
  }

  /** Returns the type without its memory annotation. */
  default Type withoutMem() {
    return this instanceof Array a && a.mem != null ? new Array(a.elem, a.shape) : this;
  }

  /** Returns the array type with another memory annotation. */
  default Type withMem(@Nullable ArrayMem mem) {
    return this instanceof Array a ? new Array(a.elem, a.shape, mem) : this;
  }

  /** Tests whether this is the given scalar type. */
  default boolean isPrim(PrimType t) {
    return this instanceof Prim p && p.prim == t;
  }
}
