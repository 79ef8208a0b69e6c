package futharkc.core.runtime.executable;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An entry point that declares how several devices run it: {@code #[split(xs)]} names the arguments
 * that are split along their outer dimension, {@code #[combine(f)]} the entry point that joins
 * partial results. Results are concatenated along the outer dimension without the latter.
 */
final class SplitEntry {
  private final EntryPoint entry;
  private final int position;
  private final boolean[] split;
  private final int join;

  private SplitEntry(EntryPoint entry, int position, boolean[] split, int join) {
    this.entry = entry;
    this.position = position;
    this.split = split;
    this.join = join;
  }

  /** Tests whether an entry point declares a split. */
  static boolean isDeclared(EntryPoint entry) {
    return Arrays.stream(entry.attributes()).anyMatch(a -> a.startsWith("split("));
  }

  /**
   * Reads the declaration of an entry point.
   *
   * @throws IllegalArgumentException if there is none, or it does not fit the types; the message is
   *     for the user
   */
  static SplitEntry of(FutharkProgram program, EntryPoint entry) {
    boolean[] split = new boolean[entry.parameters().length];
    String combine = "concat";
    for (String attribute : entry.attributes()) {
      for (String name : arguments(attribute, "split")) {
        split[parameter(entry, name)] = true;
      }
      for (String name : arguments(attribute, "combine")) {
        combine = name;
      }
    }
    if (!isDeclared(entry)) {
      throw new IllegalArgumentException(
          "entry point "
              + entry.name()
              + " does not declare how to split its arguments: add an attribute such as"
              + " #[split(xs)]");
    }
    int position = position(program, entry.name());
    if (combine.equals("concat")) {
      if (!isArrays(entry.result())) {
        throw new IllegalArgumentException(
            "results of entry point "
                + entry.name()
                + " have type "
                + entry.result().name()
                + " and cannot be concatenated: name the entry point that combines two of them,"
                + " as in #[combine(join)]");
      }
      return new SplitEntry(entry, position, split, -1);
    }
    return new SplitEntry(entry, position, split, join(program, entry, combine));
  }

  private static List<String> arguments(String attribute, String name) {
    if (!attribute.startsWith(name + "(") || !attribute.endsWith(")")) {
      return List.of();
    }
    String inside = attribute.substring(name.length() + 1, attribute.length() - 1);
    return Arrays.stream(inside.split(",", -1)).map(String::strip).toList();
  }

  private static int parameter(EntryPoint entry, String name) {
    EntryPoint.Parameter[] parameters = entry.parameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].name().equals(name)) {
        if (Opaques.rank(parameters[i].type()) == 0) {
          throw new IllegalArgumentException(
              "parameter "
                  + name
                  + " of entry point "
                  + entry.name()
                  + " has type "
                  + parameters[i].type().name()
                  + ", but only arrays are split");
        }
        return i;
      }
    }
    throw new IllegalArgumentException(
        "entry point " + entry.name() + " has no parameter " + name + ", which #[split] names");
  }

  private static int join(FutharkProgram program, EntryPoint entry, String name) {
    int position = position(program, name);
    if (position < 0) {
      throw new IllegalArgumentException(
          "there is no entry point " + name + ", which #[combine] of " + entry.name() + " names");
    }
    EntryPoint found = program.entryPoints()[position];
    EntryPoint.Parameter[] parameters = found.parameters();
    if (parameters.length != 2
        || !Opaques.sameType(parameters[0].type(), entry.result())
        || !Opaques.sameType(parameters[1].type(), entry.result())
        || !Opaques.sameType(found.result(), entry.result())) {
      throw new IllegalArgumentException(
          "entry point "
              + name
              + " cannot combine results of entry point "
              + entry.name()
              + ": it needs two parameters and a result of type "
              + entry.result().name());
    }
    return position;
  }

  /** Returns the position of an entry point; -1 if there is none of that name. */
  private static int position(FutharkProgram program, String name) {
    EntryPoint[] all = program.entryPoints();
    for (int i = 0; i < all.length; i++) {
      if (all[i].name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Tests whether all parts of a value of a type are arrays with a common outer dimension. */
  private static boolean isArrays(ValueType type) {
    if (Opaques.rank(type) > 0) {
      return true;
    }
    ValueType.Field[] fields = Opaques.fields(type);
    return fields != null
        && fields.length > 0
        && Arrays.stream(fields).allMatch(f -> isArrays(f.type()));
  }

  /** Returns the entry point. */
  EntryPoint entry() {
    return entry;
  }

  /** Returns the position of the entry point in its program. */
  int position() {
    return position;
  }

  /** Tests whether an argument is split. */
  boolean isSplit(int parameter) {
    return split[parameter];
  }

  /** Returns the position of the entry point that joins two results; -1 to concatenate. */
  int join() {
    return join;
  }

  /**
   * Returns the number of rows of the split arguments.
   *
   * @throws IllegalArgumentException if they have different numbers of rows
   */
  long rows(Value[] arguments) {
    long rows = -1;
    for (int i = 0; i < arguments.length; i++) {
      if (split[i]) {
        long here = Opaques.shape(entry.parameters()[i].type(), arguments[i])[0];
        if (rows >= 0 && here != rows) {
          throw new IllegalArgumentException(
              "the split arguments of entry point "
                  + entry.name()
                  + " have "
                  + rows
                  + " and "
                  + here
                  + " rows");
        }
        rows = here;
      }
    }
    return rows;
  }

  /** Returns a copy of some rows of an array, on the host. */
  static Value slice(Value value, long from, long to) {
    Value[] parts = Opaques.parts(value).clone();
    for (int i = 0; i < parts.length; i++) {
      ArrayValue whole = (ArrayValue) parts[i];
      long[] shape = whole.shape().clone();
      long row = shape[0] == 0 ? 0 : whole.size() / shape[0];
      shape[0] = to - from;
      int count = Math.toIntExact(row * (to - from));
      Object elements = whole.elemType().newArray(count);
      whole.store().read(whole.elemType(), from * row, elements, 0, count);
      parts[i] = new ArrayValue(whole.elemType(), shape, elements);
    }
    return Opaques.withParts(value, parts);
  }

  /**
   * Returns the concatenation of values along the outer dimension of all their arrays, on the host.
   *
   * @throws IllegalArgumentException if inner dimensions differ
   */
  static Value concatenate(List<Value> values) {
    Value first = values.getFirst();
    Value[] parts = Opaques.parts(first).clone();
    for (int i = 0; i < parts.length; i++) {
      List<ArrayValue> arrays = new ArrayList<>();
      for (Value value : values) {
        arrays.add((ArrayValue) Opaques.parts(value)[i]);
      }
      parts[i] = concatenateArrays(arrays);
    }
    return Opaques.withParts(first, parts);
  }

  private static ArrayValue concatenateArrays(List<ArrayValue> arrays) {
    long[] shape = arrays.getFirst().shape().clone();
    shape[0] = 0;
    for (ArrayValue array : arrays) {
      long[] inner = array.shape().clone();
      long rows = inner[0];
      inner[0] = shape[0];
      if (!Arrays.equals(inner, shape)) {
        throw new IllegalArgumentException(
            "the results of the parts have different inner dimensions: "
                + Arrays.toString(arrays.getFirst().shape())
                + " and "
                + Arrays.toString(array.shape()));
      }
      shape[0] += rows;
    }
    ArrayValue whole =
        new ArrayValue(
            arrays.getFirst().elemType(),
            shape,
            arrays.getFirst().elemType().newArray(Math.toIntExact(ArrayValue.size(shape))));
    int at = 0;
    for (ArrayValue array : arrays) {
      array.store().read(array.elemType(), 0, whole.data(), at, array.length());
      at += array.length();
    }
    return whole;
  }
}
