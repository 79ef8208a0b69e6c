package futharkc.core.ir.text;

import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A parser of imperative programs: types ({@code type}), constants ({@code const}), the code that
 * computes them ({@code initialise}, optional), functions ({@code fun}) and entry points ({@code
 * entry}). Constants precede the functions that use them. A function may omit {@code next}.
 *
 * <pre>{@code
 * #futhark-ir mc-imp v1
 *
 * fun main(n_1: i64, xs_2: []f32) next 5 {
 *   var acc_3: f32 = 0.0f32
 *   for i_4: i64 < n_1 {
 *     acc_3 = fadd_f32(acc_3, xs_2[i_4])
 *   }
 *   return (acc_3)
 * }
 *
 * entry "main" ("xs": []f32) -> f32
 *     call main(n_1 = {0[0]}, []f32 = 0)
 *     giving (sum_5: f32)
 *     return (f32 #0)
 * }</pre>
 *
 * <p>In an entry point, a number denotes an argument, and {@code 0[0]} denotes a dimension of an
 * argument. A number after {@code #} is the position of a function result, or, after {@code where},
 * denotes the value of an argument.
 */
final class ImperativeReader extends CodeReader {
  /** The initialiser of a program without constants. */
  static final ImperativeProgram.Function NO_CONSTANTS =
      new ImperativeProgram.Function("constants", false, List.of(), List.of(), List.of(), 0);

  ImperativeReader(String source, String text, int from) {
    super(source, text, from);
  }

  ImperativeProgram program(Rep rep) {
    Map<String, ExtType.Def> opaques = new LinkedHashMap<>();
    List<Code.Variable> constants = new ArrayList<>();
    ImperativeProgram.Function initialise = NO_CONSTANTS;
    Map<String, ImperativeProgram.Function> functions = new LinkedHashMap<>();
    List<ImperativeProgram.Entry> entries = new ArrayList<>();
    int outside = enter();
    while (peek().kind() != Token.Kind.END) {
      Token start = peek();
      if (skip("type")) {
        opaque(opaques);
      } else if (skip("const")) {
        Code.Variable v = variable();
        constants.add(v);
        declare(v);
      } else if (skip("initialise")) {
        if (initialise != NO_CONSTANTS) {
          throw error(start, "second 'initialise'");
        }
        leave(outside);
        initialise = function();
        constants.forEach(this::declare);
      } else if (sees("fun")) {
        ImperativeProgram.Function f = function();
        if (functions.put(f.name(), f) != null) {
          throw error(start, "function " + f.name() + " is defined twice");
        }
      } else if (skip("entry")) {
        entries.add(entry(super.entry()));
      } else {
        throw expected("'type', 'const', 'initialise', 'fun' or 'entry'");
      }
    }
    return new ImperativeProgram(
        rep, opaques, constants, initialise, List.copyOf(functions.values()), entries);
  }

  private ImperativeProgram.Function function() {
    int entered = enter();
    expect("fun");
    String name = word();
    List<Code.Variable> params = list("(", this::variable, ")");
    params.forEach(this::declare);
    boolean onOneThread = skip("on_one_thread");
    int next = skip("next") ? smallNumber() : -1;
    expect("{");
    List<Code> body = new ArrayList<>();
    while (!skip("return")) {
      body.add(statement());
    }
    List<Code.Operand> results = list("(", this::operand, ")");
    expect("}");
    leave(entered);
    if (next < 0) {
      next = maxTag + 1;
    }
    return new ImperativeProgram.Function(name, onOneThread, params, body, results, next);
  }

  private ImperativeProgram.Entry entry(EntryPoint entry) {
    List<String> attrs = attrs();
    expect("call");
    String function = word();
    List<ImperativeProgram.Input> params = list("(", this::input, ")");
    List<ImperativeProgram.SizeCheck> checks =
        skip("where") ? list("{", this::check, "}") : List.of();
    expect("giving");
    List<Code.Variable> outputs = list("(", this::variable, ")");
    expect("return");
    List<ImperativeProgram.Output> results = list("(", this::output, ")");
    return new ImperativeProgram.Entry(entry, attrs, function, params, checks, outputs, results);
  }

  private ImperativeProgram.Input input() {
    if (skip("[")) {
      expect("]");
      PrimType elem = primType();
      expect("=");
      return new ImperativeProgram.Input.Block(smallNumber(), elem);
    }
    Name n = name();
    if (skip(":")) {
      PrimType type = primType();
      expect("=");
      return new ImperativeProgram.Input.Scalar(n, smallNumber(), type);
    }
    expect("=");
    return new ImperativeProgram.Input.Size(n, list("{", this::place, "}"));
  }

  private ImperativeProgram.Place place() {
    int arg = smallNumber();
    expect("[");
    int dim = smallNumber();
    expect("]");
    return new ImperativeProgram.Place(arg, dim);
  }

  private ImperativeProgram.SizeCheck check() {
    ImperativeProgram.Place place = place();
    expect("=");
    return skip("#")
        ? new ImperativeProgram.SizeCheck.Argument(place, smallNumber())
        : new ImperativeProgram.SizeCheck.Constant(place, number());
  }

  private ImperativeProgram.Output output() {
    if (skip("(")) {
      expect(")");
      return new ImperativeProgram.Output.Unit();
    }
    List<ImperativeProgram.Dim> shape = new ArrayList<>();
    while (skip("[")) {
      shape.add(dim());
      expect("]");
    }
    PrimType type = primType();
    expect("#");
    int result = smallNumber();
    return shape.isEmpty()
        ? new ImperativeProgram.Output.Scalar(result, type)
        : new ImperativeProgram.Output.Array(result, type, shape);
  }

  private ImperativeProgram.Dim dim() {
    if (skip("#")) {
      return new ImperativeProgram.Dim.Result(smallNumber());
    }
    return peek().kind() == Token.Kind.NAME
        ? new ImperativeProgram.Dim.Known(name())
        : new ImperativeProgram.Dim.Constant(number());
  }
}
