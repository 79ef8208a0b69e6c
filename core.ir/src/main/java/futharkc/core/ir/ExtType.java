package futharkc.core.ir;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A type at an entry point, as seen by external callers. */
public sealed interface ExtType {
  /** Returns the type as written in the source, without sizes. */
  default String text() {
    return switch (this) {
      case Transparent t ->
          "[]".repeat(t.rank())
              + (t.unsigned()
                  ? "u" + t.prim().bits()
                  : t.prim() == PrimType.UNIT ? "()" : t.prim().toString());
      case Opaque o -> o.name();
    };
  }

  /**
   * Returns the scalars and primitive arrays that represent a value of the type.
   *
   * @throws IllegalArgumentException if an opaque type is not defined
   */
  default List<Transparent> parts(Map<String, Def> opaques) {
    return switch (this) {
      case Transparent t -> List.of(t);
      case Opaque o -> {
        Def d = opaques.get(o.name());
        if (d == null) {
          throw new IllegalArgumentException("opaque type " + o.name() + " is not defined");
        }
        yield d.parts();
      }
    };
  }

  /** A scalar or array of a primitive type; rank 0 is a scalar. */
  record Transparent(PrimType prim, boolean unsigned, int rank) implements ExtType {}

  /** A type of any other kind, described in {@link Program#opaques()}. */
  record Opaque(String name) implements ExtType {}

  /**
   * The definition of an opaque type: the scalars and primitive arrays that represent a value, and
   * the structure of the type.
   *
   * @param dims for each representing value, the known facts about its dimensions. A fact is a
   *     number, a size name (equal names mean equal sizes), or the empty string. Only sum types
   *     have facts: constructors share representing values, and the creator of a value fills unused
   *     ones with arrays of these sizes
   */
  record Def(String name, List<Transparent> parts, List<List<String>> dims, Structure structure) {
    public Def {
      parts = List.copyOf(parts);
      dims = dims.stream().map(List::copyOf).toList();
    }

    /** Makes a definition without known sizes. */
    public Def(String name, List<Transparent> parts, Structure structure) {
      this(name, parts, unknown(parts), structure);
    }

    private static List<List<String>> unknown(List<Transparent> parts) {
      return parts.stream().map(p -> Collections.nCopies(p.rank(), "")).toList();
    }

    /**
     * Combines the known sizes of two occurrences of a type. A number known from one occurrence is
     * kept, because the type states that number wherever its sizes are not hidden.
     */
    public Def join(Def other) {
      List<List<String>> joined = new ArrayList<>();
      for (int i = 0; i < dims.size(); i++) {
        List<String> known = new ArrayList<>();
        for (int d = 0; d < dims.get(i).size(); d++) {
          known.add(join(dims.get(i).get(d), other.dims.get(i).get(d)));
        }
        joined.add(known);
      }
      return new Def(name, parts, joined, structure);
    }

    private static String join(String a, String b) {
      if (a.equals(b)) {
        return a;
      }
      if (isNumber(a)) {
        return isNumber(b) ? "" : a;
      }
      return isNumber(b) ? b : "";
    }

    private static boolean isNumber(String size) {
      return !size.isEmpty() && Character.isDigit(size.charAt(0));
    }

    /**
     * Returns the name of the array's element type.
     *
     * @throws IllegalStateException if this type is not an array
     */
    public String elementName() {
      return switch (structure) {
        case Structure.Array a -> a.elem().text();
        case Structure.RecordArray a -> {
          String dims = "[]".repeat(a.rank());
          yield name.startsWith(dims)
              ? name.substring(dims.length()).strip()
              : recordText(a.fields());
        }
        case Structure.Record r -> throw noArray();
        case Structure.Sum s -> throw noArray();
        case Structure.Unknown u -> throw noArray();
      };
    }

    private IllegalStateException noArray() {
      return new IllegalStateException(name + " is not an array");
    }

    private static String recordText(List<Field> fields) {
      boolean tuple = true;
      for (int i = 0; i < fields.size(); i++) {
        tuple &= fields.get(i).name().equals(Integer.toString(i));
      }
      return tuple
          ? fields.stream().map(f -> f.type().text()).collect(joining(", ", "(", ")"))
          : fields.stream()
              .map(f -> f.name() + ": " + f.type().text())
              .collect(joining(", ", "{", "}"));
    }
  }

  /** The structure of an opaque type. */
  sealed interface Structure {
    /** A record or tuple. Its representing values are those of the fields, in order. */
    record Record(List<Field> fields) implements Structure {}

    /**
     * A sum type. Its representing values are an i8 tag, then the values of the payloads; {@code
     * slots} says which values each payload uses.
     */
    record Sum(List<Variant> variants) implements Structure {}

    /**
     * An array of opaque elements. Its representing values are those of the element with the outer
     * dimensions added.
     */
    record Array(int rank, ExtType elem) implements Structure {}

    /** An array of records, which can be split into one array per field. */
    record RecordArray(int rank, List<Field> fields) implements Structure {}

    /** A structure that external callers cannot inspect. */
    record Unknown() implements Structure {}
  }

  /** A field with its type. */
  record Field(String name, ExtType type) {}

  /**
   * A constructor.
   *
   * @param slots for each payload type, the indices of its values among the sum's representing
   *     values
   */
  record Variant(String name, List<ExtType> payload, List<List<Integer>> slots) {}
}
