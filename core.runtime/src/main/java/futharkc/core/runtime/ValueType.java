package futharkc.core.runtime;

/**
 * The public type of an entry point's parameter or result, without sizes. Two types of one program
 * are the same if their names are equal.
 */
public sealed interface ValueType {
  /** Returns the public name, such as {@code i32}, {@code [][]f64} or {@code (i64, f32)}. */
  String name();

  /** Returns the scalars and arrays that represent a value of this type, in order. */
  Part[] parts();

  /** Tests whether a value has this type, independent of sizes. */
  boolean has(Value value);

  /**
   * A scalar or array that represents a value, or a component of a value, in compiled code.
   *
   * @param elem the primitive type
   * @param dims one string for each dimension: the name of a size (equal names within a type stand
   *     for equal sizes), a number, or the empty string for an unknown size
   */
  record Part(ElemType elem, String... dims) {
    /** Returns the number of dimensions, 0 for a scalar. */
    public int rank() {
      return dims.length;
    }
  }

  /** A primitive type. */
  record Prim(ElemType elem) implements ValueType {
    @Override
    public String name() {
      return elem.text();
    }

    @Override
    public Part[] parts() {
      return new Part[] {new Part(elem)};
    }

    @Override
    public boolean has(Value value) {
      return value instanceof Scalar s && s.type() == elem;
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * An array of primitives.
   *
   * @param elem the element type
   * @param rank the number of dimensions, at least 1
   */
  record Array(ElemType elem, int rank) implements ValueType {
    @Override
    public String name() {
      return "[]".repeat(rank) + elem.text();
    }

    @Override
    public Part[] parts() {
      return new Part[] {new Part(elem, Structure.unknownDims(rank))};
    }

    @Override
    public boolean has(Value value) {
      return value instanceof ArrayValue a && a.elemType() == elem && a.rank() == rank;
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * A type that is neither a primitive type nor an array of primitives.
   *
   * @param name the public name: that of a type abbreviation, or the text of the type
   * @param structure the components of the type
   */
  record Opaque(String name, Structure structure) implements ValueType {
    @Override
    public Part[] parts() {
      return structure.parts();
    }

    @Override
    public boolean has(Value value) {
      return value instanceof OpaqueValue o && Opaques.sameType(o.type(), this);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** The components of an opaque type, and their representation by scalars and arrays. */
  sealed interface Structure {
    /** Returns the scalars and arrays that represent a value of the type. */
    Part[] parts();

    /** Returns {@code rank} dimensions of unknown size. */
    static String[] unknownDims(int rank) {
      String[] dims = new String[rank];
      java.util.Arrays.fill(dims, "");
      return dims;
    }
  }

  /** A record or a tuple. The fields of a tuple are {@code 0}, {@code 1}, ... */
  record Record(Field... fields) implements Structure {
    /** Returns the parts of all fields, one field after the other. */
    @Override
    public Part[] parts() {
      int n = 0;
      for (Field field : fields) {
        n += field.type.parts().length;
      }
      Part[] parts = new Part[n];
      n = 0;
      for (Field field : fields) {
        for (Part part : field.type.parts()) {
          parts[n++] = part;
        }
      }
      return parts;
    }

    /** Tests whether the fields are {@code 0}, {@code 1}, ..., in that order. */
    public boolean isTuple() {
      for (int i = 0; i < fields.length; i++) {
        if (!fields[i].name.equals(Integer.toString(i))) {
          return false;
        }
      }
      return true;
    }
  }

  /** A field of a record. */
  record Field(String name, ValueType type) {}

  /**
   * A sum type. The first part is the tag, an {@code i8} or {@code u8} with the position of the
   * variant in {@code variants}. The other parts hold payloads; variants may share parts.
   */
  record Sum(Part[] parts, Variant... variants) implements Structure {}

  /**
   * A constructor of a sum type.
   *
   * @param name the name, without {@code #}
   * @param payload the types of the payloads
   * @param parts for each payload, the positions of its parts among the parts of the sum
   */
  record Variant(String name, ValueType[] payload, int[][] parts) {}

  /**
   * An array of opaque elements: of records, sums or abstract values. Each part of the element
   * becomes an array with {@code rank} more dimensions; all parts share these outer sizes.
   *
   * @param rank the number of dimensions, at least 1
   * @param elem the element type, which is not an {@code ArrayOf}
   */
  record ArrayOf(int rank, Opaque elem) implements Structure {
    @Override
    public Part[] parts() {
      Part[] parts = elem.parts();
      for (int i = 0; i < parts.length; i++) {
        String[] dims = new String[rank + parts[i].rank()];
        for (int j = 0; j < rank; j++) {
          dims[j] = "outer " + j;
        }
        System.arraycopy(parts[i].dims, 0, dims, rank, parts[i].rank());
        parts[i] = new Part(parts[i].elem, dims);
      }
      return parts;
    }
  }

  /** A type without public structure. */
  record Abstract(Part... parts) implements Structure {}

  /**
   * Returns the type of arrays of a type.
   *
   * @param rank the number of added dimensions, at least 1
   * @param elem the type of the elements
   */
  static ValueType arrayOf(int rank, ValueType elem) {
    return switch (elem) {
      case Prim p -> new Array(p.elem, rank);
      case Array a -> new Array(a.elem, a.rank + rank);
      case Opaque o -> {
        String name = "[]".repeat(rank) + (o.name.startsWith("#") ? "(" + o.name + ")" : o.name);
        yield o.structure instanceof ArrayOf(int inner, Opaque innermost)
            ? new Opaque(name, new ArrayOf(rank + inner, innermost))
            : new Opaque(name, new ArrayOf(rank, o));
      }
    };
  }
}
