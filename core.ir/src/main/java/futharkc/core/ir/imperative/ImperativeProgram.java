package futharkc.core.ir.imperative;

import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A program of the imperative language.
 *
 * @param opaques the opaque types of entry points, by name
 * @param constants the variables that {@code initialise} declares, in scope in every function
 * @param initialise a function without parameters that computes and returns the constants; it runs
 *     once, before any entry point
 */
public record ImperativeProgram(
    Rep rep,
    Map<String, ExtType.Def> opaques,
    List<Code.Variable> constants,
    Function initialise,
    List<Function> functions,
    List<Entry> entries)
    implements Ir {
  public ImperativeProgram {
    if (!rep.isImperative()) {
      throw new IllegalArgumentException(rep + " is not a representation of imperative programs");
    }
    opaques = Collections.unmodifiableMap(new LinkedHashMap<>(opaques));
    constants = List.copyOf(constants);
    functions = List.copyOf(functions);
    entries = List.copyOf(entries);
  }

  /**
   * Returns the element type with which blocks for elements of the type are declared: i8 for device
   * memory.
   */
  public PrimType inBlocks(PrimType elem) {
    return rep.isByteAddressed() ? PrimType.I8 : elem;
  }

  /** Returns this program with other functions. */
  public ImperativeProgram with(Function initialise, List<Function> functions) {
    return new ImperativeProgram(rep, opaques, constants, initialise, functions, entries);
  }

  /**
   * A function, whose body declares its {@code results}.
   *
   * @param onOneThread true if each call runs on a single thread, possibly a thread of a parallel
   *     region, so that the function opens no regions
   * @param nextTag a number greater than that of every name in the function
   */
  public record Function(
      String name,
      boolean onOneThread,
      List<Code.Variable> params,
      List<Code> body,
      List<Code.Operand> results,
      int nextTag) {
    public Function {
      params = List.copyOf(params);
      body = List.copyOf(body);
      results = List.copyOf(results);
    }

    /** Returns this function with another body. */
    public Function withBody(List<Code> body, int nextTag) {
      return new Function(name, onOneThread, params, body, results, nextTag);
    }
  }

  /**
   * The interface of a function for callers outside the program.
   *
   * @param attrs the attributes in the source
   * @param params the sources of the function's parameters
   * @param checks further conditions on the arguments' sizes
   * @param results the flat results of the entry point
   * @param outputs the variables that the function returns, in order
   */
  public record Entry(
      EntryPoint entry,
      List<String> attrs,
      String function,
      List<Input> params,
      List<SizeCheck> checks,
      List<Code.Variable> outputs,
      List<Output> results) {}

  /** A condition on a dimension of an argument. */
  public sealed interface SizeCheck {
    /** Returns the dimension. */
    Place place();

    /** A condition that the dimension equals a constant. */
    record Constant(Place place, long size) implements SizeCheck {}

    /** A condition that the dimension equals the i64 argument number {@code arg}. */
    record Argument(Place place, int arg) implements SizeCheck {}
  }

  /** The source of a function's parameter. */
  public sealed interface Input {
    /** A scalar argument. */
    record Scalar(Name name, int arg, PrimType type) implements Input {}

    /**
     * A dimension of an array argument. All dimensions in {@code places} must be equal; the entry
     * point checks them.
     */
    record Size(Name name, List<Place> places) implements Input {}

    /** The block of an array argument. */
    record Block(int arg, PrimType elem) implements Input {}
  }

  /** Dimension {@code dim} of the flat argument {@code arg}. */
  public record Place(int arg, int dim) {}

  /** A flat result, made from the values that the function returns. */
  public sealed interface Output {
    /** The unit value, for which the function returns nothing. */
    record Unit() implements Output {}

    /** The scalar at position {@code result} of the returned values. */
    record Scalar(int result, PrimType type) implements Output {}

    /**
     * An array: the block at position {@code block} of the returned values, and at least one size.
     */
    record Array(int block, PrimType elem, List<Dim> shape) implements Output {}
  }

  /** A size in the shape of a result. */
  public sealed interface Dim {
    /** A constant size. */
    record Constant(long size) implements Dim {}

    /** The i64 at position {@code result} of the returned values. */
    record Result(int result) implements Dim {}

    /** A size among the function's inputs, or a constant of the program. */
    record Known(Name size) implements Dim {}
  }
}
