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
 * @param opaques types of entry points, by name
 * @param constants variables that {@code initialise} declares and that stay in scope everywhere
 * @param initialise computes the constants, once, before any entry point: a function without
 *     parameters that returns them
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
    if (!rep.isImperative())
      throw new IllegalArgumentException("no imperative program is in " + rep);
    opaques = Collections.unmodifiableMap(new LinkedHashMap<>(opaques));
    constants = List.copyOf(constants);
    functions = List.copyOf(functions);
    entries = List.copyOf(entries);
  }

  /** As what blocks that hold elements of the type are declared: device memory is bytes. */
  public PrimType inBlocks(PrimType elem) {
    return rep.isByteAddressed() ? PrimType.I8 : elem;
  }

  /** The program with other code. */
  public ImperativeProgram with(Function initialise, List<Function> functions) {
    return new ImperativeProgram(rep, opaques, constants, initialise, functions, entries);
  }

  /**
   * A function; {@code results} are declared in the body.
   *
   * @param onOneThread whether it is called on one thread only, perhaps one of several of a
   *     parallel region: then it opens no regions
   * @param nextTag no name in the function has this number or a greater one
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

    /** The function with another body. */
    public Function withBody(List<Code> body, int nextTag) {
      return new Function(name, onOneThread, params, body, results, nextTag);
    }
  }

  /**
   * How a function is called from outside.
   *
   * @param attrs its attributes in the source
   * @param params the function's parameters, each with its source
   * @param checks what else must hold of the arguments' sizes
   * @param results the entry point's flat results
   * @param outputs the types of the results that the function returns, in order
   */
  public record Entry(
      EntryPoint entry,
      List<String> attrs,
      String function,
      List<Input> params,
      List<SizeCheck> checks,
      List<Code.Variable> outputs,
      List<Output> results) {}

  /** What must hold of a dimension of an argument. */
  public sealed interface SizeCheck {
    /** The dimension. */
    Place place();

    /** It must be that size. */
    record Constant(Place place, long size) implements SizeCheck {}

    /** It must equal argument {@code arg}, an i64. */
    record Argument(Place place, int arg) implements SizeCheck {}
  }

  /** Where a function's parameter comes from. */
  public sealed interface Input {
    /** A scalar argument. */
    record Scalar(Name name, int arg, PrimType type) implements Input {}

    /** A dimension of an array argument; every other place with that size is checked. */
    record Size(Name name, List<Place> places) implements Input {}

    /** The block of an array argument. */
    record Block(int arg, PrimType elem) implements Input {}
  }

  /** Dimension {@code dim} of the flat argument {@code arg}. */
  public record Place(int arg, int dim) {}

  /** A flat result, made from what the function returns. */
  public sealed interface Output {
    /** The unit value, which is not returned. */
    record Unit() implements Output {}

    /** The scalar at that position. */
    record Scalar(int result, PrimType type) implements Output {}

    /** An array: the block at that position, and its sizes, at least one. */
    record Array(int block, PrimType elem, List<Dim> shape) implements Output {}
  }

  /** A size of a result. */
  public sealed interface Dim {
    /** Always the same. */
    record Constant(long size) implements Dim {}

    /** The i64 at that position among what the function returns. */
    record Result(int result) implements Dim {}

    /** A size among the function's inputs, or a constant of the program. */
    record Known(Name size) implements Dim {}
  }
}
