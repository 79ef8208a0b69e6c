package futharkc.core.codegen.kernel;

import futharkc.core.codegen.Identifiers;
import futharkc.core.codegen.Writer;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Machine;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The functions that kernels call. Each function is printed once for every combination of memory
 * spaces of its block parameters, because C pointers carry their space.
 */
final class KernelFunctions {
  private final Dialect dialect;
  private final KernelLibrary library;
  private final FailureTable failures;
  private final Machine.KernelCompiler limits;
  private final Map<String, ImperativeProgram.Function> functions = new HashMap<>();
  private final Map<Key, Printed> printed = new HashMap<>();
  private final Map<Key, String> texts = new LinkedHashMap<>();

  private record Key(String function, List<Code.Memory> memories) {}

  /**
   * A printed function.
   *
   * @param name the name of the function in the text
   * @param type the type of its result
   * @param results the memory spaces of the blocks that it returns, in order
   * @param canFail true if it takes three more parameters: the record of failures, the base of
   *     failure numbers, and the variable in which it reports its failure
   */
  record Printed(String name, String type, List<Code.Memory> results, boolean canFail) {}

  KernelFunctions(
      Dialect dialect,
      KernelLibrary library,
      FailureTable failures,
      ImperativeProgram program,
      Machine.KernelCompiler limits) {
    this.dialect = dialect;
    this.library = library;
    this.failures = failures;
    this.limits = limits;
    for (ImperativeProgram.Function f : program.functions()) {
      functions.put(f.name(), f);
    }
  }

  /**
   * Returns the version of a function for these memory spaces, and prints it at the first request.
   *
   * @param memories the memory spaces of its block arguments, in order
   */
  Printed of(String function, List<Code.Memory> memories) {
    Key key = new Key(function, List.copyOf(memories));
    Printed known = printed.get(key);
    if (known != null) {
      return known;
    }
    if (texts.containsKey(key)) {
      throw new PassException(
          Loc.NONE,
          "function " + function + " calls itself in a kernel, which no device's language allows");
    }
    texts.put(key, "");
    ImperativeProgram.Function f = functions.get(function);
    if (f == null) {
      throw new IllegalStateException("no function " + function);
    }
    Printed made = print(f, key);
    printed.put(key, made);
    return made;
  }

  private Printed print(ImperativeProgram.Function f, Key key) {
    boolean canFail = asserts(f.body());
    Writer body = new Writer();
    KernelCode code = new KernelCode(dialect, library, this, failures, Map.of(), true, body);
    String name =
        "f_"
            + Identifiers.word(f.name())
            + key.memories().stream()
                .map(m -> m.name().substring(0, 1))
                .collect(Collectors.joining("", "_", ""));
    List<String> params = new ArrayList<>();
    int blocks = 0;
    for (Code.Variable v : f.params()) {
      if (v.isBlock()) {
        code.declare(v.name(), key.memories().get(blocks++));
      }
      params.add(code.type(v) + " " + Identifiers.name(v.name()));
    }
    if (canFail) {
      params.addAll(List.of("GLOBAL volatile i32 *failure", "i32 failure_base", "bool *failed"));
    }
    boolean several = f.results().size() > 1;
    code.leavingBy(
        switch (f.results().size()) {
          case 0 -> "return;";
          case 1 -> "return 0;";
          default -> "{ " + name + "_results none = {0}; return none; }";
        });
    code.all(f.body());
    List<Code.Memory> memories = new ArrayList<>();
    List<String> types = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (Code.Operand o : f.results()) {
      switch (o) {
        case Code.Operand.Scalar s -> {
          types.add(KernelTypes.scalar(s.value().type()));
          values.add(code.exprs().expr(s.value()));
        }
        case Code.Operand.Block b -> {
          memories.add(code.memory(b.name()));
          types.add(KernelCode.pointer(code.memory(b.name()), b.elem()));
          values.add(Identifiers.name(b.name()));
        }
      }
    }
    Writer out = new Writer();
    String type = several ? name + "_results" : types.isEmpty() ? "void" : types.get(0);
    if (several) {
      out.open("typedef struct {");
      for (int i = 0; i < types.size(); i++) {
        out.line(types.get(i) + " r" + i + ";");
      }
      out.close("} " + type + ";");
    }
    boolean large = blocks == 0 && body.toString().length() > limits.functionText();
    out.open(
        (large ? "LARGE_FUN " : "FUN ")
            + type
            + " "
            + name
            + "("
            + String.join(", ", params)
            + ") {");
    out.add(body);
    if (several) {
      out.line(type + " results;");
      for (int i = 0; i < values.size(); i++) {
        out.line("results.r" + i + " = " + values.get(i) + ";");
      }
      out.line("return results;");
    } else if (!values.isEmpty()) {
      out.line("return " + values.get(0) + ";");
    }
    out.close("}");
    // Callees come first.
    texts.remove(key);
    texts.put(key, out.toString());
    return new Printed(name, type, memories, canFail);
  }

  /**
   * Tests whether statements of one thread contain an assertion, or call a function that contains
   * one.
   */
  private boolean asserts(List<Code> code) {
    for (Code c : code) {
      boolean here =
          switch (c) {
            case Code.Assert a -> true;
            case Code.Call call -> {
              ImperativeProgram.Function f = functions.get(call.function());
              yield f != null && asserts(f.body());
            }
            case Code.Attempt _ -> false;
            case Code.Compound x -> x.bodies().stream().anyMatch(this::asserts);
            case Code.Simple _ -> false;
          };
      if (here) {
        return true;
      }
    }
    return false;
  }

  /** Returns the texts of all requested functions by name, callees first. */
  Map<String, String> texts() {
    Map<String, String> byName = new LinkedHashMap<>();
    texts.forEach(
        (key, text) -> {
          Printed function = printed.get(key);
          if (function != null) {
            byName.put(function.name(), text);
          }
        });
    return byName;
  }
}
