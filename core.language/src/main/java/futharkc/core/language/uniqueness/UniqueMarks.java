package futharkc.core.language.uniqueness;

import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Type;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Queries and changes of the unique marks of types. Marks inside function types belong to those
 * functions.
 */
final class UniqueMarks {
  private UniqueMarks() {}

  /**
   * Tests whether any component of a type is unique. A parameter of such a type consumes the whole
   * argument.
   */
  static boolean anyUnique(Type t) {
    return switch (t) {
      case Type.Prim _ -> false;
      case Type.Array a -> a.unique();
      case Type.Named n -> n.unique();
      case Type.Record r -> r.fields().values().stream().anyMatch(UniqueMarks::anyUnique);
      case Type.Sum s ->
          s.variants().values().stream().flatMap(List::stream).anyMatch(UniqueMarks::anyUnique);
      case Type.Fun _ -> false;
      case MetaType _ -> false;
    };
  }

  /** Tests whether any array in a type is not unique. */
  static boolean anyShared(Type t) {
    return switch (t) {
      case Type.Prim _ -> false;
      case Type.Array a -> !a.unique();
      case Type.Named n -> !n.unique();
      case Type.Record r -> r.fields().values().stream().anyMatch(UniqueMarks::anyShared);
      case Type.Sum s ->
          s.variants().values().stream().flatMap(List::stream).anyMatch(UniqueMarks::anyShared);
      case Type.Fun _ -> true;
      case MetaType _ -> true;
    };
  }

  /** Tests whether the structure of a type contains a function type. */
  static boolean anyFunction(Type t) {
    return switch (t) {
      case Type.Prim _ -> false;
      case Type.Array _ -> false;
      case Type.Named _ -> false;
      case Type.Record r -> r.fields().values().stream().anyMatch(UniqueMarks::anyFunction);
      case Type.Sum s ->
          s.variants().values().stream().flatMap(List::stream).anyMatch(UniqueMarks::anyFunction);
      case Type.Fun _ -> true;
      case MetaType _ -> false;
    };
  }

  /** Returns the type with every array marked unique. */
  static Type unique(Type t) {
    return switch (t) {
      case Type.Prim p -> p;
      case Type.Array a -> new Type.Array(true, a.size(), a.elem());
      case Type.Named n -> new Type.Named(true, n.name(), n.args());
      case Type.Record r -> new Type.Record(mapped(r.fields(), UniqueMarks::unique));
      case Type.Sum s ->
          new Type.Sum(mapped(s.variants(), ts -> ts.stream().map(UniqueMarks::unique).toList()));
      case Type.Fun f -> f;
      case MetaType m -> m;
    };
  }

  /**
   * Returns the first type with the result marks of the second type, of which the first type is an
   * instance.
   */
  static Type withResultsOf(Type t, Type marked) {
    if (t instanceof Type.Fun f && marked instanceof Type.Fun m) {
      Type to = f.result().type();
      Type result =
          to instanceof Type.Fun
              ? withResultsOf(to, m.result().type())
              : withMarksOf(to, m.result().type());
      return new Type.Fun(f.param(), f.from(), new Type.Result(f.result().sizes(), result));
    }
    return t;
  }

  private static Type withMarksOf(Type t, Type marked) {
    return switch (marked) {
      case Type.Record m when t instanceof Type.Record r -> {
        SortedMap<String, Type> fields = new TreeMap<>(Type.FIELD_ORDER);
        r.fields()
            .forEach((f, ft) -> fields.put(f, withMarksOf(ft, m.fields().getOrDefault(f, ft))));
        yield new Type.Record(fields);
      }
      case Type.Record _ -> t;
      case Type.Prim _ -> t;
      case Type.Fun _ -> t;
      case MetaType _ -> t;
      case Type.Array m -> m.unique() ? unique(t) : t;
      case Type.Named m -> m.unique() ? unique(t) : t;
      case Type.Sum m -> anyUnique(m) && !anyShared(m) ? unique(t) : t;
    };
  }

  /**
   * Returns the curried type of a function with the result after {@code params} parameters
   * replaced.
   */
  static Type withResult(Type t, int params, Type result) {
    if (params == 0) {
      return result;
    }
    if (!(t instanceof Type.Fun f)) {
      return t;
    }
    Type inner = withResult(f.result().type(), params - 1, result);
    return new Type.Fun(f.param(), f.from(), new Type.Result(f.result().sizes(), inner));
  }

  static <A, B> SortedMap<String, B> mapped(SortedMap<String, A> map, Function<A, B> f) {
    SortedMap<String, B> result = new TreeMap<>(map.comparator());
    map.forEach((k, v) -> result.put(k, f.apply(v)));
    return result;
  }
}
