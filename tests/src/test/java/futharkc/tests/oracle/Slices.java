package futharkc.tests.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads of slices of arrays, and copies of arrays and records with a part replaced. */
final class Slices {
  private Slices() {}

  /** A slice of one dimension: an index or a range. */
  sealed interface At {}

  /** One index. */
  record Fix(long index) implements At {}

  /** A range of indices: start, end (exclusive) and stride. */
  record Part(@Nullable Long start, @Nullable Long end, @Nullable Long stride) implements At {
    List<Integer> indexes(int n) {
      long step = stride == null ? 1 : stride;
      if (step == 0) {
        throw new ProgramFailureException("a slice of stride 0");
      }
      long from = start != null ? start : step > 0 ? 0 : n - 1;
      long to = end != null ? end : step > 0 ? n : -1;
      long count = Math.ceilDiv(to - from, step);
      if (count < 0) {
        throw new ProgramFailureException("a slice of " + count + " elements");
      }
      List<Integer> out = new ArrayList<>();
      for (long i = 0; i < count; i++) {
        long at = from + i * step;
        if (at < 0 || at >= n) {
          throw new ProgramFailureException("slice out of bounds");
        }
        out.add((int) at);
      }
      return out;
    }
  }

  private static int checked(Fix f, int n) {
    if (f.index < 0 || f.index >= n) {
      throw new ProgramFailureException("index " + f.index + " out of bounds");
    }
    return (int) f.index;
  }

  static Val read(Val value, List<At> at) {
    if (at.isEmpty()) {
      return value;
    }
    Val.Arr array = (Val.Arr) value;
    List<At> rest = at.subList(1, at.size());
    int n = array.elems().size();
    return switch (at.getFirst()) {
      case Fix f -> read(array.elems().get(checked(f, n)), rest);
      case Part p -> {
        List<Val> elems = new ArrayList<>();
        for (int i : p.indexes(n)) {
          elems.add(read(array.elems().get(i), rest));
        }
        yield new Val.Arr(elems, typeAt(array.elem(), rest));
      }
    };
  }

  /** Returns the type of a slice of values of a closed type. */
  private static futharkc.core.language.typed.Type typeAt(
      futharkc.core.language.typed.Type type, List<At> at) {
    if (at.isEmpty() || !(type instanceof futharkc.core.language.typed.Type.Array a)) {
      return type;
    }
    var inner = typeAt(a.elem(), at.subList(1, at.size()));
    return switch (at.getFirst()) {
      case Fix _ -> inner;
      case Part p ->
          new futharkc.core.language.typed.Type.Array(
              false,
              a.size() instanceof futharkc.core.language.typed.Type.Size.Const c
                  ? new futharkc.core.language.typed.Type.Size.Const(
                      p.indexes((int) c.value()).size())
                  : a.size(),
              inner);
    };
  }

  /**
   * Returns a copy of a value with a component replaced.
   *
   * @param path field names and lists of slices
   */
  @SuppressWarnings("unchecked")
  static Val with(Val source, List<Object> path, Val value) {
    if (path.isEmpty()) {
      return value;
    }
    List<Object> rest = path.subList(1, path.size());
    if (path.getFirst() instanceof String field) {
      SortedMap<String, Val> fields = new TreeMap<>(((Val.Rec) source).fields());
      fields.put(field, with(fields.get(field), rest, value));
      return new Val.Rec(fields);
    }
    return withElems(source, (List<At>) path.getFirst(), rest, value);
  }

  private static Val withElems(Val source, List<At> at, List<Object> rest, Val value) {
    if (at.isEmpty()) {
      if (rest.isEmpty() && source instanceof Val.Arr && !sameShape(source, value)) {
        throw new ProgramFailureException("a part of another shape");
      }
      return with(source, rest, value);
    }
    Val.Arr array = (Val.Arr) source;
    List<Val> elems = new ArrayList<>(array.elems());
    List<At> inner = at.subList(1, at.size());
    switch (at.getFirst()) {
      case Fix f -> {
        int i = checked(f, elems.size());
        elems.set(i, withElems(elems.get(i), inner, rest, value));
      }
      case Part p -> {
        List<Integer> indexes = p.indexes(elems.size());
        List<Val> parts = ((Val.Arr) value).elems();
        if (parts.size() != indexes.size()) {
          throw new ProgramFailureException("a slice of another size");
        }
        for (int i = 0; i < parts.size(); i++) {
          int k = indexes.get(i);
          elems.set(k, withElems(elems.get(k), inner, rest, parts.get(i)));
        }
      }
    }
    return new Val.Arr(elems, array.elem());
  }

  private static boolean sameShape(Val a, Val b) {
    return OracleTypes.of(a).equals(OracleTypes.of(b));
  }
}
