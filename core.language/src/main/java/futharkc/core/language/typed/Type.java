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
 * A type with sizes. The {@code unique} marks mean something in parameter types (consumed) and
 * result types (alias-free) only. Types never contain abbreviations: {@link Named} is a type
 * parameter, an abstract type or an intrinsic type.
 */
public sealed interface Type
    permits Type.Prim, Type.Array, Type.Record, Type.Sum, Type.Fun, Type.Named, MetaType {
  /** A primitive type. */
  record Prim(PrimType type) implements Type {}

  /** One dimension over an element type, itself possibly an array; never of functions. */
  record Array(boolean unique, Size size, Type elem) implements Type {}

  /**
   * A record; a tuple is a record with fields {@code 0, 1, ...}, and unit one with none. Fields are
   * in {@link #FIELD_ORDER}.
   */
  record Record(SortedMap<String, Type> fields) implements Type {
    public Record {
      fields = Type.sorted(fields);
    }
  }

  /** A sum type: payload types by constructor name, in name order. */
  record Sum(SortedMap<String, List<Type>> variants) implements Type {
    public Sum {
      variants = Collections.unmodifiableSortedMap(new TreeMap<>(variants));
    }
  }

  /**
   * A function of one parameter. The parameter's name, if it has one, may stand in sizes of the
   * result.
   *
   * @param param bound in {@code result}
   */
  record Fun(@Nullable Name param, Type from, Result result) implements Type {}

  /** A type parameter, abstract type or intrinsic type, applied to its arguments. */
  record Named(boolean unique, Name name, List<Arg> args) implements Type {
    public Named {
      args = List.copyOf(args);
    }
  }

  /**
   * The type of a result, with the sizes that are only known once it has been computed.
   *
   * @param sizes existential sizes, bound in {@code type}
   */
  record Result(List<Name> sizes, Type type) {
    public Result {
      sizes = List.copyOf(sizes);
    }

    /** A result without existential sizes. */
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
    /** A number. */
    record Const(long value) implements Size {}

    /** A name: a variable, a size parameter, or an existential size. */
    record Var(Name name) implements Size {}

    /** Any other expression. */
    record Of(Exp exp) implements Size {}

    /**
     * A size that is not the same at every use of a lifted type parameter, such as the size of what
     * {@code filter} returns in {@code xs |> filter p}. Occurs in what {@link Exp.Var} instantiates
     * parameters with, nowhere else.
     */
    record Any() implements Size {}
  }

  /** Order of record fields: tuple fields by number, before other names in alphabetical order. */
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

  /** Copies a map of fields into {@link #FIELD_ORDER}. */
  static <T> SortedMap<String, T> sorted(java.util.Map<String, T> fields) {
    TreeMap<String, T> copy = new TreeMap<>(FIELD_ORDER);
    copy.putAll(fields);
    return Collections.unmodifiableSortedMap(copy);
  }

  /** The tuple of these types; not a tuple when there is just one. */
  static Type tuple(List<Type> elems) {
    if (elems.size() == 1) return elems.get(0);
    TreeMap<String, Type> fields = new TreeMap<>(FIELD_ORDER);
    for (int i = 0; i < elems.size(); i++) fields.put(Integer.toString(i), elems.get(i));
    return new Record(fields);
  }

  /** The elements if this is a tuple of none, two or more, else null. */
  static @Nullable List<Type> tupleElems(Type t) {
    if (!(t instanceof Record r) || r.fields.size() == 1) return null;
    List<Type> elems = new ArrayList<>();
    for (var e : r.fields.entrySet()) {
      if (!e.getKey().equals(Integer.toString(elems.size()))) return null;
      elems.add(e.getValue());
    }
    return elems;
  }

  /** A primitive type. */
  static Type prim(PrimType t) {
    return new Prim(t);
  }
}
