package futharkc.tests.kit.source;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The types of random programs. */
public sealed interface SourceType {
  /** A primitive type. */
  enum Prim implements SourceType {
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
   * An array type.
   *
   * @param size an atomic expression: a name, a number, or an expression in parentheses
   */
  record Array(SourceType element, String size) implements SourceType {}

  /** A tuple type with at least two components. */
  record Tuple(List<SourceType> parts) implements SourceType {
    /** Creates a tuple type with an unmodifiable copy of the components. */
    public Tuple {
      parts = List.copyOf(parts);
    }
  }

  /** A record type with the fields a, b, c... */
  record Fields(List<SourceType> parts) implements SourceType {
    /** Creates a record type with an unmodifiable copy of the components. */
    public Fields {
      parts = List.copyOf(parts);
    }

    /** Returns the name of a field. */
    static String name(int i) {
      return String.valueOf((char) ('a' + i));
    }
  }

  /**
   * A type that the program defines: a sum type or an abstract type.
   *
   * @param name the type in the program's text, with its arguments
   * @param simplest the text of the simplest value, an atom
   * @param lifted true if values may differ in size, so that no array can hold them
   */
  record Named(String name, String simplest, boolean lifted) implements SourceType {}

  /** Returns the text of this type in a program. */
  default String text() {
    return switch (this) {
      case Named n -> n.name;
      case Prim p -> p.name().toLowerCase(java.util.Locale.ROOT);
      case Array a -> "[" + bare(a.size) + "]" + a.element.text();
      case Tuple t ->
          t.parts.stream().map(SourceType::text).collect(Collectors.joining(", ", "(", ")"));
      case Fields f ->
          IntStream.range(0, f.parts.size())
              .mapToObj(i -> Fields.name(i) + ": " + f.parts.get(i).text())
              .collect(Collectors.joining(", ", "{", "}"));
    };
  }

  private static String bare(String size) {
    return size.startsWith("(") ? size.substring(1, size.length() - 1) : size;
  }

  /** Returns the simplest value of this type as an atomic expression. */
  default String zero() {
    return switch (this) {
      case Named n -> n.simplest;
      case Prim p -> p == Prim.BOOL ? "false" : "0" + p.text();
      case Array a -> "(replicate " + a.size + " " + a.element.zero() + ")";
      case Tuple t ->
          t.parts.stream().map(SourceType::zero).collect(Collectors.joining(", ", "(", ")"));
      case Fields f ->
          IntStream.range(0, f.parts.size())
              .mapToObj(i -> Fields.name(i) + " = " + f.parts.get(i).zero())
              .collect(Collectors.joining(", ", "{", "}"));
    };
  }

  /** Tests whether values of this type contain arrays. */
  default boolean hasArrays() {
    return switch (this) {
      case Prim _ -> false;
      case Named n -> n.lifted;
      case Array a -> true;
      case Tuple t -> t.parts.stream().anyMatch(SourceType::hasArrays);
      case Fields f -> f.parts.stream().anyMatch(SourceType::hasArrays);
    };
  }

  /** Tests whether this type is an array of scalars, or of tuples and records of scalars. */
  default boolean isVector() {
    return this instanceof Array a && !a.element.hasArrays();
  }

  /** Tests whether this type is an array of vectors. */
  default boolean isMatrix() {
    return this instanceof Array a && a.element.isVector();
  }
}
