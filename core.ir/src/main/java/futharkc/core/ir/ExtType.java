package futharkc.core.ir;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A type as seen from outside, at an entry point. */
public sealed interface ExtType {
  /** The type as it is written, sizes apart. */
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
   * The plain values that a value of the type stands for.
   *
   * @throws IllegalArgumentException if it is not one of the opaque types
   */
  default List<Transparent> parts(Map<String, Def> opaques) {
    return switch (this) {
      case Transparent t -> List.of(t);
      case Opaque o -> {
        Def d = opaques.get(o.name());
        if (d == null) throw new IllegalArgumentException("there is no type " + o.name());
        yield d.parts();
      }
    };
  }

  /** A scalar or array of a primitive type; rank 0 is a scalar. */
  record Transparent(PrimType prim, boolean unsigned, int rank) implements ExtType {}

  /** Any other type, described in {@link Program#opaques()}. */
  record Opaque(String name) implements ExtType {}

  /**
   * What an opaque type consists of: the plain values it stands for, and how they are put together.
   *
   * @param dims for each part what is known of its dimensions: a number; the name of a size, the
   *     same for dimensions that are always of one size; or the empty string. Only sums know
   *     something: their payloads share parts, and whoever makes a value needs a filler for those
   *     that no payload uses
   */
  record Def(String name, List<Transparent> parts, List<List<String>> dims, Structure structure) {
    public Def {
      parts = List.copyOf(parts);
      dims = dims.stream().map(List::copyOf).toList();
    }

    /** A type of whose sizes nothing is known. */
    public Def(String name, List<Transparent> parts, Structure structure) {
      this(name, parts, unknown(parts), structure);
    }

    private static List<List<String>> unknown(List<Transparent> parts) {
      return parts.stream().map(p -> Collections.nCopies(p.rank(), "")).toList();
    }

    /**
     * What is known of the sizes of a type that occurs twice: a number even if only one of both has
     * it, as that is what the type says where its sizes are not hidden.
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
      if (a.equals(b)) return a;
      if (isNumber(a)) return isNumber(b) ? "" : a;
      return isNumber(b) ? b : "";
    }

    private static boolean isNumber(String size) {
      return !size.isEmpty() && Character.isDigit(size.charAt(0));
    }

    /**
     * The name of the elements.
     *
     * @throws IllegalStateException if this is not an array
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

  /** How an opaque type is put together. */
  sealed interface Structure {
    /** A record or tuple; the parts are those of the fields in order. */
    record Record(List<Field> fields) implements Structure {}

    /**
     * A sum: a tag of type i8 first, then the parts of the payloads, where {@code slots} says which
     * parts each one uses.
     */
    record Sum(List<Variant> variants) implements Structure {}

    /**
     * An array of opaque elements: each part is that of the element with the outer dimensions
     * added.
     */
    record Array(int rank, ExtType elem) implements Structure {}

    /** An array of records: can be taken apart into an array for each field. */
    record RecordArray(int rank, List<Field> fields) implements Structure {}

    /** Nothing is known. */
    record Unknown() implements Structure {}
  }

  /** A field and its type. */
  record Field(String name, ExtType type) {}

  /** A constructor; for each payload type, the indices among the sum's parts that hold it. */
  record Variant(String name, List<ExtType> payload, List<List<Integer>> slots) {}
}
