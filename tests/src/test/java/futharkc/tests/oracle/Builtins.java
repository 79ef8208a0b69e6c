package futharkc.tests.oracle;

import futharkc.core.language.Intrinsics;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Type;
import futharkc.tests.oracle.Val.Arr;
import futharkc.tests.oracle.Val.Fn;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A simple implementation of the compiler's intrinsics. */
final class Builtins {
  private static final int LONGEST = 1_000_000;

  /**
   * Returns the intrinsic with a name.
   *
   * @param types the arguments for its type parameters
   * @param sizes the arguments for its size parameters; null for an unknown size
   */
  Val named(String name, List<Type> types, List<@Nullable Long> sizes) {
    Intrinsics.Intrinsic intrinsic = Intrinsics.named(name);
    return switch (intrinsic) {
      case Intrinsics.Scalar s -> {
        int arity = s.op().params(s.on()).size();
        yield arity == 0
            ? OracleScalars.apply(s.op(), s.on(), List.of())
            : function(arity, args -> OracleScalars.apply(s.op(), s.on(), args));
      }
      case Intrinsics.Conversion c ->
          function(1, args -> OracleScalars.convert(c.to(), (Val.Prim) args.getFirst()));
      case Intrinsics.Structured s -> structured(s.name(), types);
      case null -> throw new UnsupportedException("the intrinsic " + name);
    };
  }

  private static Fn function(int arity, Function<List<Val>, Val> body) {
    return function(arity, body, List.of());
  }

  private static Fn function(int arity, Function<List<Val>, Val> body, List<Val> given) {
    return arg -> {
      List<Val> args = new ArrayList<>(given);
      args.add(arg);
      return args.size() == arity ? body.apply(args) : function(arity, body, args);
    };
  }

  private static Fn structured(String name, List<Type> types) {
    return switch (name) {
      case "map" -> function(2, a -> map(a.get(0), a.get(1), types.get(1)));
      case "reduce", "reduce_comm" ->
          function(
              3,
              a -> {
                Val result = a.get(1);
                for (Val x : elems(a.get(2))) {
                  result = call(a.get(0), result, x);
                }
                return result;
              });
      case "scan" ->
          function(
              3,
              a -> {
                Val last = a.get(1);
                List<Val> out = new ArrayList<>();
                for (Val x : elems(a.get(2))) {
                  last = call(a.get(0), last, x);
                  out.add(last);
                }
                return TreeInterpreter.array(out, types.get(0));
              });
      case "flatmap" -> function(2, a -> flatmap(a.get(0), a.get(1), types));
      case "hist_1d", "hist_2d", "hist_3d" ->
          function(
              5,
              a -> {
                Val dest = a.get(0);
                List<Val> is = elems(a.get(3));
                List<Val> vs = elems(a.get(4));
                for (int i = 0; i < is.size(); i++) {
                  dest = combined(dest, index(is.get(i)), a.get(1), vs.get(i));
                }
                return dest;
              });
      case "scatter_1d", "scatter_2d", "scatter_3d" ->
          function(
              3,
              a -> {
                Val dest = a.get(0);
                List<Val> is = elems(a.get(1));
                List<Val> vs = elems(a.get(2));
                for (int i = 0; i < is.size(); i++) {
                  dest = combined(dest, index(is.get(i)), null, vs.get(i));
                }
                return dest;
              });
      case "scatter_stream" -> function(3, a -> stream(a.get(0), null, a.get(1), a.get(2)));
      case "hist_stream" -> function(5, a -> stream(a.get(0), a.get(1), a.get(3), a.get(4)));
      case "acc_write" ->
          function(
              3,
              a -> {
                Val.Acc acc = (Val.Acc) a.get(0);
                long i = OracleScalars.number(a.get(1));
                if (i >= 0 && i < acc.elems().size()) {
                  Val old = acc.elems().get((int) i);
                  Fn op = acc.op();
                  acc.elems().set((int) i, op == null ? a.get(2) : call(op, old, a.get(2)));
                }
                return acc;
              });
      case "zip", "zip3", "zip4", "zip5" -> function(types.size(), a -> zip(a, types));
      case "unzip", "unzip3", "unzip4", "unzip5" -> function(1, a -> unzip(a.get(0), types));
      case "concat" ->
          function(
              2,
              a -> {
                List<Val> both = new ArrayList<>(elems(a.get(0)));
                both.addAll(elems(a.get(1)));
                return TreeInterpreter.array(both, types.get(0));
              });
      case "flatten" ->
          function(
              1,
              a -> {
                List<Val> out = new ArrayList<>();
                for (Val row : elems(a.get(0))) {
                  out.addAll(elems(row));
                }
                return new Arr(out, types.get(0));
              });
      case "unflatten" -> function(3, a -> unflatten(a, types.get(0)));
      case "transpose" -> function(1, a -> transpose((Arr) a.get(0), types.get(0)));
      case "replicate" ->
          function(
              2,
              a ->
                  new Arr(
                      TreeInterpreter.times(OracleScalars.number(a.get(0)), a.get(1)),
                      types.get(0)));
      case "copy", "manifest", "scratch" -> function(1, a -> a.get(0));
      case "flat_index_2d" -> flatIndex(2, types);
      case "flat_index_3d" -> flatIndex(3, types);
      case "flat_index_4d" -> flatIndex(4, types);
      case "flat_update_2d" -> flatUpdate(2);
      case "flat_update_3d" -> flatUpdate(3);
      case "flat_update_4d" -> flatUpdate(4);
      default -> throw new UnsupportedException("the intrinsic " + name);
    };
  }

  private static List<Val> elems(Val array) {
    return ((Arr) array).elems();
  }

  private static Val call(Val f, Val... args) {
    return TreeInterpreter.apply(f, args);
  }

  private static Arr map(Val f, Val array, Type result) {
    List<Val> out = new ArrayList<>();
    for (Val x : elems(array)) {
      out.add(call(f, x));
    }
    return TreeInterpreter.array(out, result);
  }

  /** Returns the components of an index: a number or a tuple of numbers. */
  private static List<Long> index(Val index) {
    return index instanceof Val.Rec r
        ? r.fields().values().stream().map(OracleScalars::number).toList()
        : List.of(OracleScalars.number(index));
  }

  /**
   * Returns a copy with an element replaced or combined with another. An index out of range returns
   * the array itself.
   */
  private static Val combined(Val dest, List<Long> at, @Nullable Val op, Val x) {
    if (at.isEmpty()) {
      return op == null ? x : call(op, dest, x);
    }
    Arr array = (Arr) dest;
    long i = at.getFirst();
    if (i < 0 || i >= array.elems().size()) {
      return dest;
    }
    List<Val> elems = new ArrayList<>(array.elems());
    elems.set((int) i, combined(elems.get((int) i), at.subList(1, at.size()), op, x));
    return new Arr(elems, array.elem());
  }

  private static Val stream(Val dest, @Nullable Val op, Val f, Val inputs) {
    Type elem = ((Arr) dest).elem();
    Val.Acc acc = new Val.Acc(new ArrayList<>(elems(dest)), (Fn) op, elem);
    for (Val x : elems(inputs)) {
      call(f, acc, x);
    }
    return new Arr(acc.elems(), elem);
  }

  private static Val flatmap(Val f, Val inputs, List<Type> types) {
    List<Val> shape = new ArrayList<>();
    List<Val> flags = new ArrayList<>();
    List<Val> offsets = new ArrayList<>();
    List<Val> data = new ArrayList<>();
    List<Val> others = new ArrayList<>();
    for (Val x : elems(inputs)) {
      List<Val> both = List.copyOf(((Val.Rec) call(f, x)).fields().values());
      List<Val> part = elems(both.get(0));
      shape.add(Val.i64(part.size()));
      offsets.add(Val.i64(data.size()));
      for (int i = 0; i < part.size(); i++) {
        flags.add(Val.bool(i == 0));
      }
      data.addAll(part);
      others.add(both.get(1));
    }
    Type i64 = Type.prim(PrimType.I64);
    return Val.tuple(
        new Arr(shape, i64),
        new Arr(flags, Type.prim(PrimType.BOOL)),
        new Arr(offsets, i64),
        TreeInterpreter.array(data, types.get(1)),
        TreeInterpreter.array(others, types.get(2)));
  }

  private static Val zip(List<Val> arrays, List<Type> types) {
    int n = elems(arrays.getFirst()).size();
    List<Val> out = new ArrayList<>();
    for (Val other : arrays) {
      if (elems(other).size() != n) {
        throw new TypeViolationException("the arrays of zip have different sizes");
      }
    }
    for (int i = 0; i < n; i++) {
      Val[] parts = new Val[arrays.size()];
      for (int j = 0; j < parts.length; j++) {
        parts[j] = elems(arrays.get(j)).get(i);
      }
      out.add(Val.tuple(parts));
    }
    return new Arr(out, Type.tuple(types));
  }

  private static Val unzip(Val array, List<Type> types) {
    Val[] parts = new Val[types.size()];
    for (int j = 0; j < parts.length; j++) {
      String field = Integer.toString(j);
      List<Val> part = new ArrayList<>();
      for (Val x : elems(array)) {
        part.add(((Val.Rec) x).fields().get(field));
      }
      parts[j] = new Arr(part, types.get(j));
    }
    return Val.tuple(parts);
  }

  private static Val unflatten(List<Val> args, Type elem) {
    long n = OracleScalars.number(args.get(0));
    long m = OracleScalars.number(args.get(1));
    List<Val> all = elems(args.get(2));
    if (n < 0 || m < 0 || n * m != all.size()) {
      throw new ProgramFailureException("the sizes of unflatten do not match the array");
    }
    List<Val> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      rows.add(new Arr(all.subList((int) (i * m), (int) ((i + 1) * m)), elem));
      if (i > LONGEST) {
        throw new UnsupportedException("a long array");
      }
    }
    return new Arr(rows, new Type.Array(false, new Type.Size.Const(m), elem));
  }

  private static Val transpose(Arr array, Type elem) {
    List<Val> rows = array.elems();
    int n = rows.size();
    long m =
        n > 0
            ? elems(rows.getFirst()).size()
            : array.elem() instanceof Type.Array a && a.size() instanceof Type.Size.Const c
                ? c.value()
                : 0;
    List<Val> columns = new ArrayList<>();
    for (int j = 0; j < m; j++) {
      List<Val> column = new ArrayList<>();
      for (Val row : rows) {
        column.add(elems(row).get(j));
      }
      columns.add(new Arr(column, elem));
    }
    return new Arr(columns, new Type.Array(false, new Type.Size.Const(n), elem));
  }

  /** Returns a function of an array, an offset, and a size and stride for each dimension. */
  private static Fn flatIndex(int rank, List<Type> types) {
    return function(
        2 + 2 * rank,
        a -> {
          List<Long> numbers = a.subList(1, a.size()).stream().map(OracleScalars::number).toList();
          return gather(elems(a.get(0)), numbers.get(0), numbers.subList(1, numbers.size()), types);
        });
  }

  private static Val gather(List<Val> all, long at, List<Long> dims, List<Type> types) {
    if (dims.isEmpty()) {
      if (at < 0 || at >= all.size()) {
        throw new ProgramFailureException("flat index out of bounds");
      }
      return all.get((int) at);
    }
    List<Val> out = new ArrayList<>();
    if (dims.get(0) < 0) {
      throw new ProgramFailureException("a negative size");
    }
    for (long i = 0; i < dims.get(0); i++) {
      out.add(gather(all, at + i * dims.get(1), dims.subList(2, dims.size()), types));
    }
    Type elem = types.get(0);
    for (int i = dims.size() - 2; i > 0; i -= 2) {
      elem = new Type.Array(false, new Type.Size.Const(dims.get(i)), elem);
    }
    return new Arr(out, elem);
  }

  private static Fn flatUpdate(int rank) {
    return function(
        3 + rank,
        a -> {
          Arr array = (Arr) a.get(0);
          List<Val> all = new ArrayList<>(array.elems());
          List<Long> numbers =
              a.subList(1, a.size() - 1).stream().map(OracleScalars::number).toList();
          spread(all, numbers.get(0), numbers.subList(1, numbers.size()), a.getLast());
          return new Arr(all, array.elem());
        });
  }

  private static void spread(List<Val> all, long at, List<Long> strides, Val x) {
    if (strides.isEmpty()) {
      if (at < 0 || at >= all.size()) {
        throw new ProgramFailureException("flat update out of bounds");
      }
      all.set((int) at, x);
      return;
    }
    List<Val> parts = elems(x);
    for (int i = 0; i < parts.size(); i++) {
      spread(all, at + i * strides.get(0), strides.subList(1, strides.size()), parts.get(i));
    }
  }

  /** Returns a mutable map for the fields of a record. */
  static SortedMap<String, Val> fields() {
    return new TreeMap<>(Type.FIELD_ORDER);
  }
}
