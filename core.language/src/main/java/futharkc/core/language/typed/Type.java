package futharkc.core.language.typed;

import futharkc.core.language.syntax.PrimType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A type with sizes. The {@code unique} marks have a meaning only in parameter types (consumed) and
 * result types (alias-free). Types never contain abbreviations: {@link Named} is a type parameter,
 * an abstract type or an intrinsic type.
 */
public sealed interface Type
    permits Type.Prim, Type.Array, Type.Record, Type.Sum, Type.Fun, Type.Named, MetaType {
  /** A primitive type. */
  record Prim(PrimType type) implements Type {}

  /**
   * An array type: one dimension over an element type, which can be an array but not a function.
   */
  record Array(boolean unique, Size size, Type elem) implements Type {}

  /**
   * A record. A tuple is a record with fields {@code 0, 1, ...}; unit is a record without fields.
   * Fields are in {@link #FIELD_ORDER}.
   */
  record Record(SortedMap<String, Type> fields) implements Type {
    public Record {
      fields = Type.sorted(fields);
    }
  }

  /** A sum type: the payload types of each constructor, in name order. */
  record Sum(SortedMap<String, List<Type>> variants) implements Type {
    public Sum {
      variants = Collections.unmodifiableSortedMap(new TreeMap<>(variants));
    }
  }

  /**
   * A function of one parameter.
   *
   * @param param the parameter's name, bound in the sizes of {@code result}; null if it has none
   */
  record Fun(@Nullable Name param, Type from, Result result) implements Type {}

  /** A type parameter, abstract type or intrinsic type, applied to its arguments. */
  record Named(boolean unique, Name name, List<Arg> args) implements Type {
    public Named {
      args = List.copyOf(args);
    }
  }

  /**
   * The type of a result, with the sizes that the computation of the result determines.
   *
   * @param sizes existential sizes, bound in {@code type}
   */
  record Result(List<Name> sizes, Type type) {
    public Result {
      sizes = List.copyOf(sizes);
    }

    /** Returns a result without existential sizes. */
    public static Result of(Type type) {
      return new Result(List.of(), type);
    }
  }

  /** An argument of a {@link Named} type. */
  sealed interface Arg {
    /** A size. */
    record OfSize(Size size) implements Arg {}

    /** A type. */
    record OfType(Type type) implements Arg {}
  }

  /** The size of a dimension, a value of type i64. */
  sealed interface Size {
    /** A constant. */
    record Const(long value) implements Size {}

    /** A name: a variable, a size parameter, or an existential size. */
    record Var(Name name) implements Size {}

    /** Any other expression. */
    record Of(Exp exp) implements Size {}

    /**
     * A size that differs between uses of a lifted type parameter, such as the size of {@code
     * filter}'s result in {@code xs |> filter p}. It occurs only in arguments of {@link Exp.Var}.
     */
    record Any() implements Size {}
  }

  /** The order of record fields: tuple fields by number, then other names in alphabetical order. */
  Comparator<String> FIELD_ORDER =
      (a, b) -> {
        boolean na = Character.isDigit(a.charAt(0));
        boolean nb = Character.isDigit(b.charAt(0));
        if (na && nb) {
          return a.length() != b.length()
              ? Integer.compare(a.length(), b.length())
              : a.compareTo(b);
        }
        return na != nb ? (na ? -1 : 1) : a.compareTo(b);
      };

  /** Returns a copy of a map of fields in {@link #FIELD_ORDER}. */
  static <T> SortedMap<String, T> sorted(java.util.Map<String, T> fields) {
    TreeMap<String, T> copy = new TreeMap<>(FIELD_ORDER);
    copy.putAll(fields);
    return Collections.unmodifiableSortedMap(copy);
  }

  /** Returns the tuple of types. A single type is returned itself. */
  static Type tuple(List<Type> elems) {
    if (elems.size() == 1) {
      return elems.get(0);
    }
    TreeMap<String, Type> fields = new TreeMap<>(FIELD_ORDER);
    for (int i = 0; i < elems.size(); i++) {
      fields.put(Integer.toString(i), elems.get(i));
    }
    return new Record(fields);
  }

  /** Returns the elements of a tuple of zero, two or more elements, or null for other types. */
  static @Nullable List<Type> tupleElems(Type t) {
    if (!(t instanceof Record r) || r.fields.size() == 1) {
      return null;
    }
    List<Type> elems = new ArrayList<>();
    for (var e : r.fields.entrySet()) {
      if (!e.getKey().equals(Integer.toString(elems.size()))) {
        return null;
      }
      elems.add(e.getValue());
    }
    return elems;
  }

  /** Returns a primitive type. */
  static Type prim(PrimType t) {
    return new Prim(t);
  }
}
