package futharkc.core.ir;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The type of a variable. */
@SuppressWarnings("ClassInitializationDeadlock") // The driver initialises it before all else.
public sealed interface Type {
  /** A scalar. */
  record Prim(PrimType prim) implements Type {}

  /**
   * An array of one or more dimensions.
   *
   * @param shape the sizes, outermost first, each of type i64
   * @param mem where the elements are: present on every array of a memory representation, absent
   *     elsewhere
   */
  record Array(PrimType elem, List<SubExp> shape, @Nullable ArrayMem mem) implements Type {
    public Array {
      shape = List.copyOf(shape);
      if (shape.isEmpty()) throw new IllegalArgumentException("array type without dimensions");
    }

    /** An array of a representation without memory. */
    public Array(PrimType elem, List<SubExp> shape) {
      this(elem, shape, null);
    }
  }

  /**
   * An accumulator: write-only arrays, seen inside a {@code WithAcc}.
   *
   * @param token the certificate-like name that ties it to its {@code WithAcc}
   * @param space the index space of updates
   * @param elems the types of the values written at an index: scalars, or arrays of inner
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
   * An array of the element type with this shape in front of its own; the type itself if the shape
   * is empty.
   */
  static Type array(Type elem, List<SubExp> shape) {
    if (shape.isEmpty()) return elem;
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

  /** One dimension in front. */
  static Type array(Type elem, SubExp size) {
    return array(elem, List.of(size));
  }

  /** The number of dimensions; 0 unless an array. */
  default int rank() {
    return this instanceof Array a ? a.shape.size() : 0;
  }

  /** The sizes, outermost first; empty unless an array. */
  default List<SubExp> dims() {
    return this instanceof Array a ? a.shape : List.of();
  }

  /** The outermost size. */
  default SubExp outerSize() {
    return dims().get(0);
  }

  /** The primitive type of a scalar or of an array's elements. */
  default PrimType elemPrim() {
    return switch (this) {
      case Prim p -> p.prim;
      case Array a -> a.elem;
      case Acc acc ->
          throw new IllegalStateException("accumulator " + acc + " has no element type");
      case Mem m -> throw new IllegalStateException("memory block has no element type");
    };
  }

  /** The type without its outer {@code n} dimensions (and without memory). */
  default Type peel(int n) {
    if (n == 0) return this;
    Array a = (Array) this;
    return n == a.shape.size()
        ? prim(a.elem)
        : new Array(a.elem, a.shape.subList(n, a.shape.size()));
  }

  /** The type of a row. */
  default Type row() {
    return peel(1);
  }

  /** The array type with other sizes, one for each dimension, without memory. */
  default Type withShape(List<SubExp> shape) {
    return array(prim(elemPrim()), shape);
  }

  /** The same type without its place in memory. */
  default Type withoutMem() {
    return this instanceof Array a && a.mem != null ? new Array(a.elem, a.shape) : this;
  }

  /** The same array type at another place in memory. */
  default Type withMem(@Nullable ArrayMem mem) {
    return this instanceof Array a ? new Array(a.elem, a.shape, mem) : this;
  }

  /** Whether this is a scalar of that type. */
  default boolean isPrim(PrimType t) {
    return this instanceof Prim p && p.prim == t;
  }
}
