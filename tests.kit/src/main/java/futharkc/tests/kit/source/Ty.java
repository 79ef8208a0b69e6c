package futharkc.tests.kit.source;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The types of random programs. */
public sealed interface Ty {
  /** A primitive type. */
  enum Prim implements Ty {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
    BOOL;

    boolean isFloat() {
      return this == F16 || this == F32 || this == F64;
    }

    boolean isInteger() {
      return this != BOOL && !isFloat();
    }
  }

  /**
   * An array.
   *
   * @param size an expression that is an atom: a name, a number, or in parentheses
   */
  record Array(Ty element, String size) implements Ty {}

  /** A tuple of at least two parts. */
  record Tuple(List<Ty> parts) implements Ty {
    /** Makes an unmodifiable copy. */
    public Tuple {
      parts = List.copyOf(parts);
    }
  }

  /** A record with the fields a, b, c... */
  record Fields(List<Ty> parts) implements Ty {
    /** Makes an unmodifiable copy. */
    public Fields {
      parts = List.copyOf(parts);
    }

    /** A field's name. */
    static String name(int i) {
      return String.valueOf((char) ('a' + i));
    }
  }

  /**
   * A type of the program's own: a sum, or abstract.
   *
   * @param name as it is written, with arguments if it has any
   * @param simplest the simplest value, an atom
   * @param lifted whether values may differ in size, so that no array holds them
   */
  record Named(String name, String simplest, boolean lifted) implements Ty {}

  /** As it is written in a program. */
  default String text() {
    return switch (this) {
      case Named n -> n.name;
      case Prim p -> p.name().toLowerCase(java.util.Locale.ROOT);
      case Array a -> "[" + bare(a.size) + "]" + a.element.text();
      case Tuple t -> t.parts.stream().map(Ty::text).collect(Collectors.joining(", ", "(", ")"));
      case Fields f ->
          IntStream.range(0, f.parts.size())
              .mapToObj(i -> Fields.name(i) + ": " + f.parts.get(i).text())
              .collect(Collectors.joining(", ", "{", "}"));
    };
  }

  private static String bare(String size) {
    return size.startsWith("(") ? size.substring(1, size.length() - 1) : size;
  }

  /** The simplest value of the type, as an expression that is an atom. */
  default String zero() {
    return switch (this) {
      case Named n -> n.simplest;
      case Prim p -> p == Prim.BOOL ? "false" : "0" + p.text();
      case Array a -> "(replicate " + a.size + " " + a.element.zero() + ")";
      case Tuple t -> t.parts.stream().map(Ty::zero).collect(Collectors.joining(", ", "(", ")"));
      case Fields f ->
          IntStream.range(0, f.parts.size())
              .mapToObj(i -> Fields.name(i) + " = " + f.parts.get(i).zero())
              .collect(Collectors.joining(", ", "{", "}"));
    };
  }

  /** Whether values hold arrays. */
  default boolean hasArrays() {
    return switch (this) {
      case Prim _ -> false;
      case Named n -> n.lifted;
      case Array a -> true;
      case Tuple t -> t.parts.stream().anyMatch(Ty::hasArrays);
      case Fields f -> f.parts.stream().anyMatch(Ty::hasArrays);
    };
  }

  /** Whether it is an array of scalars, or of tuples and records of scalars. */
  default boolean isVector() {
    return this instanceof Array a && !a.element.hasArrays();
  }

  /** Whether it is an array of vectors. */
  default boolean isMatrix() {
    return this instanceof Array a && a.element.isVector();
  }
}
