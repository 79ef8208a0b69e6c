package futharkc.core.language;

import futharkc.core.language.syntax.PrimType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The intrinsics: the values that the compiler itself provides in the module {@code intrinsics}.
 * The prelude is written in terms of them. An intrinsic's type is the text of a value
 * specification, which the checker parses like any other type.
 */
public final class Intrinsics {
  /** The name of the module in programs. */
  public static final String MODULE = "intrinsics";

  /** The only type of the module: accumulators of arrays with elements of type {@code a}. */
  public static final String ACC = "acc";

  /** An intrinsic value. */
  public sealed interface Intrinsic {
    String name();

    /**
     * Returns the type and size parameters in the syntax of a specification, possibly none: {@code
     * 'a [n]}.
     */
    default String typeParams() {
      return "";
    }

    /** Returns the type in the syntax of a specification. */
    String type();
  }

  /**
   * An operation on scalars.
   *
   * @param on the type of the operands
   */
  public record Scalar(ScalarOp op, PrimType on) implements Intrinsic {
    @Override
    public String name() {
      return op.intrinsic(on);
    }

    @Override
    public String type() {
      return function(op.params(on), op.result(on));
    }
  }

  /**
   * A conversion between primitive types, such as {@code conv_i8_f32}. Integers are sign-extended
   * if both types are signed, otherwise zero-extended. Floats are truncated to integers; a
   * conversion to an unsigned type goes through the signed type of the same width. A conversion to
   * bool tests for a nonzero value.
   */
  public record Conversion(PrimType from, PrimType to) implements Intrinsic {
    @Override
    public String name() {
      return "conv_" + from + "_" + to;
    }

    @Override
    public String type() {
      return function(List.of(from), to);
    }
  }

  /** Any other intrinsic, listed in {@link #STRUCTURED}. */
  public record Structured(String name, String typeParams, String type) implements Intrinsic {}

  /**
   * The intrinsics on arrays and functions. Some need an explanation:
   *
   * <ul>
   *   <li>{@code zip} and its variants give the same memory another type;
   *   <li>{@code copy} returns a value in fresh memory, {@code manifest} a value in row-major
   *       order, {@code scratch} a value of the argument's shape with unspecified elements;
   *   <li>{@code replicate} requires a nonnegative size, {@code unflatten} two nonnegative sizes
   *       whose product is the array's size;
   *   <li>{@code scatter} and {@code hist} ignore indices out of bounds; for duplicate indices, a
   *       scatter writes any one of their values;
   *   <li>{@code scatter_stream} and {@code hist_stream} create an accumulator on the first
   *       argument and call the function with the accumulator and each element; {@code acc_write}
   *       stores into the accumulator, or combines with the operator, and ignores indices out of
   *       bounds;
   *   <li>{@code flat_index} and {@code flat_update} read and write the elements at {@code offset +
   *       i1*s1 + i2*s2 + ...} of a one-dimensional array, which must be in bounds;
   *   <li>{@code flatmap} concatenates the results, and also returns the segments' sizes, flags and
   *       offsets;
   *   <li>{@code with_vjp} applies its first argument, whose reverse-mode derivative is the second
   *       argument.
   * </ul>
   */
  private static final String STRUCTURED =
      """
      map 'a 'x [n] : (f: a -> x) -> (as: [n]a) -> *[n]x
      reduce 'a [n] : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> a
      reduce_comm 'a [n] : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> a
      scan 'a [n] : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> *[n]a
      flatmap 'a 'b 'c [n] : (f: a -> ?[k].([k]b, c)) -> (as: [n]a) -> ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c)
      hist_1d 'a [k] [n] : (dest: *[k]a) -> (op: a -> a -> a) -> (ne: a) -> (is: [n]i64) -> (as: [n]a) -> *[k]a
      hist_2d 'a [k] [m] [n] : (dest: *[k][m]a) -> (op: a -> a -> a) -> (ne: a) -> (is: [n](i64, i64)) -> (as: [n]a) -> *[k][m]a
      hist_3d 'a [k] [m] [l] [n] : (dest: *[k][m][l]a) -> (op: a -> a -> a) -> (ne: a) -> (is: [n](i64, i64, i64)) -> (as: [n]a) -> *[k][m][l]a
      scatter_1d 'a [k] [n] : (dest: *[k]a) -> (is: [n]i64) -> (vs: [n]a) -> *[k]a
      scatter_2d 'a [k] [m] [n] : (dest: *[k][m]a) -> (is: [n](i64, i64)) -> (vs: [n]a) -> *[k][m]a
      scatter_3d 'a [k] [m] [l] [n] : (dest: *[k][m][l]a) -> (is: [n](i64, i64, i64)) -> (vs: [n]a) -> *[k][m][l]a
      scatter_stream 'a 'b [k] [n] : (dest: *[k]a) -> (f: *acc ([k]a) -> b -> acc ([k]a)) -> (bs: [n]b) -> *[k]a
      hist_stream 'a 'b [k] [n] : (dest: *[k]a) -> (op: a -> a -> a) -> (ne: a) -> (f: *acc ([k]a) -> b -> acc ([k]a)) -> (bs: [n]b) -> *[k]a
      acc_write 'a [k] : (acc: *acc ([k]a)) -> (i: i64) -> (v: a) -> *acc ([k]a)
      zip 'a 'b [n] : (as: [n]a) -> (bs: [n]b) -> [n](a, b)
      zip3 'a 'b 'c [n] : (as: [n]a) -> (bs: [n]b) -> (cs: [n]c) -> [n](a, b, c)
      zip4 'a 'b 'c 'd [n] : (as: [n]a) -> (bs: [n]b) -> (cs: [n]c) -> (ds: [n]d) -> [n](a, b, c, d)
      zip5 'a 'b 'c 'd 'e [n] : (as: [n]a) -> (bs: [n]b) -> (cs: [n]c) -> (ds: [n]d) -> (es: [n]e) -> [n](a, b, c, d, e)
      unzip 'a 'b [n] : (xs: [n](a, b)) -> ([n]a, [n]b)
      unzip3 'a 'b 'c [n] : (xs: [n](a, b, c)) -> ([n]a, [n]b, [n]c)
      unzip4 'a 'b 'c 'd [n] : (xs: [n](a, b, c, d)) -> ([n]a, [n]b, [n]c, [n]d)
      unzip5 'a 'b 'c 'd 'e [n] : (xs: [n](a, b, c, d, e)) -> ([n]a, [n]b, [n]c, [n]d, [n]e)
      concat 'a [n] [m] : (xs: [n]a) -> (ys: [m]a) -> *[n + m]a
      flatten 'a [n] [m] : (xs: [n][m]a) -> [n * m]a
      unflatten 'a : (n: i64) -> (m: i64) -> (xs: [n * m]a) -> [n][m]a
      transpose 'a [n] [m] : (xs: [n][m]a) -> [m][n]a
      replicate 'a : (n: i64) -> (x: a) -> *[n]a
      copy 'a : (x: a) -> *a
      manifest 'a : (x: a) -> *a
      scratch 'a : (like: a) -> *a
      flat_index_2d 'a [n] : (as: [n]a) -> (offset: i64) -> (n1: i64) -> (s1: i64) -> (n2: i64) -> (s2: i64) -> [n1][n2]a
      flat_index_3d 'a [n] : (as: [n]a) -> (offset: i64) -> (n1: i64) -> (s1: i64) -> (n2: i64) -> (s2: i64) -> (n3: i64) -> (s3: i64) -> [n1][n2][n3]a
      flat_index_4d 'a [n] : (as: [n]a) -> (offset: i64) -> (n1: i64) -> (s1: i64) -> (n2: i64) -> (s2: i64) -> (n3: i64) -> (s3: i64) -> (n4: i64) -> (s4: i64) -> [n1][n2][n3][n4]a
      flat_update_2d 'a [n] [k] [l] : (as: *[n]a) -> (offset: i64) -> (s1: i64) -> (s2: i64) -> (vs: [k][l]a) -> *[n]a
      flat_update_3d 'a [n] [k] [l] [p] : (as: *[n]a) -> (offset: i64) -> (s1: i64) -> (s2: i64) -> (s3: i64) -> (vs: [k][l][p]a) -> *[n]a
      flat_update_4d 'a [n] [k] [l] [p] [q] : (as: *[n]a) -> (offset: i64) -> (s1: i64) -> (s2: i64) -> (s3: i64) -> (s4: i64) -> (vs: [k][l][p][q]a) -> *[n]a
      jvp2 'a 'b : (f: a -> b) -> (x: a) -> (dx: a) -> (b, b)
      vjp2 'a 'b : (f: a -> b) -> (x: a) -> (dy: b) -> (b, a)
      jmp2 'a 'b [n] : (f: a -> b) -> (x: a) -> (dxs: [n]a) -> (b, [n]b)
      mjp2 'a 'b [n] : (f: a -> b) -> (x: a) -> (dys: [n]b) -> (b, [n]a)
      with_vjp 'a 'b 'c : (f: a -> (c, b)) -> (g: (c, b) -> a) -> (x: a) -> b
      """;

  private static final Map<String, Intrinsic> TABLE = table();

  private Intrinsics() {}

  /** Returns the intrinsic of a name, or null. */
  public static @Nullable Intrinsic named(String name) {
    return TABLE.get(name);
  }

  /** Returns all intrinsics in a fixed order. */
  public static Collection<Intrinsic> all() {
    return TABLE.values();
  }

  private static Map<String, Intrinsic> table() {
    List<Intrinsic> all = new ArrayList<>();
    for (ScalarOp op : ScalarOp.values()) {
      for (PrimType t : PrimType.values()) {
        if (op.types().contains(t)) {
          all.add(new Scalar(op, t));
        }
      }
    }
    for (PrimType from : PrimType.values()) {
      for (PrimType to : PrimType.values()) {
        all.add(new Conversion(from, to));
      }
    }
    STRUCTURED.lines().map(Intrinsics::structured).forEach(all::add);

    Map<String, Intrinsic> table = new LinkedHashMap<>();
    for (Intrinsic i : all) {
      table.put(i.name(), i);
    }
    return Collections.unmodifiableMap(table);
  }

  private static Structured structured(String line) {
    int colon = line.indexOf(" : ");
    int space = line.indexOf(' ');
    return new Structured(
        line.substring(0, space), line.substring(space, colon).strip(), line.substring(colon + 3));
  }

  private static String function(List<PrimType> params, PrimType result) {
    return params.stream().map(p -> p + " -> ").collect(Collectors.joining()) + result;
  }
}
