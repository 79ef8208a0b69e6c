package futharkc.core.codegen.java;

import futharkc.core.codegen.Writer;
import futharkc.core.codegen.kernel.KernelPrinter;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Name;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.device.KernelSource;
import futharkc.core.runtime.device.TuningDefaults;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The kernels, constant blocks and tuning parameters that the host code of a program with kernels
 * shares.
 */
final class DeviceCode {
  private final KernelPrinter kernels;
  private final String api;
  private final Machine.Methods limits;

  /** Java expressions for constant blocks, which are on the host. */
  private final Map<Name, String> constants = new HashMap<>();

  /** The variables of the function that hold values of tuning parameters. */
  private final Map<Name, TuningParameter> tuned = new HashMap<>();

  /** The variables of the function that are reassigned. */
  private Set<Name> assigned = Set.of();

  /**
   * Creates the shared state of one program.
   *
   * @param api the name of the class of the device interface
   */
  DeviceCode(KernelPrinter kernels, String api, Machine.Methods limits) {
    this.kernels = kernels;
    this.api = api;
    this.limits = limits;
  }

  /** Forgets the variables of the last function, and begins the next function. */
  void nextFunction(ImperativeProgram.Function function) {
    constants.clear();
    tuned.clear();
    kernels.nextFunction();
    assigned = Variables.assignedBy(function.body());
  }

  void constant(Name block, String array) {
    constants.put(block, array);
  }

  @Nullable String constant(Name block) {
    return constants.get(block);
  }

  void tuned(Name variable, TuningParameter parameter) {
    tuned.put(variable, parameter);
  }

  /**
   * Records that a variable is a copy of another variable, if the other holds a tuning parameter's
   * value.
   */
  void alias(Code.Declare d) {
    if (!(d.value() instanceof Expr.Var v) || assigned.contains(d.name())) {
      return;
    }
    TuningParameter parameter = tuned.get(v.name());
    if (parameter != null) {
      tuned.put(d.name(), parameter);
    }
  }

  KernelPrinter.Printed kernel(Code.Launch launch) {
    return kernels.print(launch, tuned);
  }

  KernelSource source() {
    return kernels.source();
  }

  /**
   * Returns the default values of the kernels' macros.
   *
   * @return null if a default value depends on the device
   */
  @Nullable Map<String, Long> macros() {
    Map<String, Long> macros = new TreeMap<>();
    for (TuningParameter p : kernels.macros()) {
      long own = defaultValue(p.sizeClass());
      Long value = own != 0 ? (Long) own : TuningDefaults.ofAnyGpu(p.sizeClass().toString());
      if (value == null) {
        return null;
      }
      macros.put(KernelPrinter.macroName(p), value);
    }
    return macros;
  }

  /**
   * Returns the default value that the program knows for parameters of a class; 0 if only the
   * device knows it.
   */
  static long defaultValue(SizeClass sizeClass) {
    return switch (sizeClass) {
      case SizeClass.Plain p -> 0;
      case SizeClass.Threshold t -> t.defaultValue() == null ? 0 : t.defaultValue();
      case SizeClass.Bespoke b -> b.defaultValue();
    };
  }

  /** Returns the statement that returns a new device interface. */
  static String newApi(String api) {
    return "return new " + api + "();";
  }

  /** Writes the device members of the program class. */
  void members(Map<String, Integer> tuning, Writer out) {
    out.line("Device device;");
    out.line("Kernel[] kernels;");
    out.line("FailureWord failures;");
    out.line("long[] sizes;");
    out.line("@Override public DeviceApi api() { " + newApi(api) + " }");
    out.line("@Override public KernelSource kernels() { return KernelText.source(); }");
    out.open("@Override public java.util.Map<String, Long> macros(Context ctx, Device device) {");
    out.line("java.util.Map<String, Long> macros = new java.util.TreeMap<>();");
    for (TuningParameter p : kernels.macros()) {
      out.line(
          "macros.put("
              + JavaTypes.string(KernelPrinter.macroName(p))
              + ", ctx.tuning("
              + tuning.get(p.name())
              + "));");
    }
    out.line("return macros;");
    out.close("}");
  }

  /** Writes the device initialisation that runs before the program's constants are computed. */
  static void initialise(int tuningParameters, Writer out) {
    out.line("device = device(ctx);");
    out.line("sizes = new long[" + tuningParameters + "];");
    out.line("for (int i = 0; i < sizes.length; i++) sizes[i] = ctx.tuning(i);");
    out.line("KernelProgram loaded = load(ctx);");
    out.line("failures = loaded.failures();");
    out.line("java.util.List<Kernel> all = new java.util.ArrayList<>();");
    out.line(
        "for (KernelSource.KernelDeclaration k : KernelText.kernels())"
            + " all.add(loaded.kernel(k.name()));");
    out.line("kernels = all.toArray(new Kernel[0]);");
  }

  /** Returns the class that holds the kernels. */
  Writer text() {
    KernelSource source = kernels.source();
    List<String> pieces = new ArrayList<>();
    int length = limits.literal();
    for (int i = 0; i < source.text().length(); i += length) {
      String piece = source.text().substring(i, Math.min(source.text().length(), i + length));
      pieces.add(JavaTypes.string(piece));
    }
    List<String> declarations = new ArrayList<>();
    for (KernelSource.KernelDeclaration k : source.kernels()) {
      List<String> sizes = new ArrayList<>();
      for (int n : k.parameters()) {
        sizes.add(Integer.toString(n));
      }
      declarations.add(
          "new KernelSource.KernelDeclaration("
              + String.join(
                  ", ",
                  JavaTypes.string(k.name()),
                  JavaTypes.string(k.provenance()),
                  "new int[] {" + String.join(", ", sizes) + "}",
                  Boolean.toString(k.shared()),
                  Integer.toString(k.module()))
              + ")");
    }
    List<String> failures = new ArrayList<>();
    for (KernelSource.Failure f : source.failures()) {
      failures.add(
          "new KernelSource.Failure("
              + String.join(
                  ", ",
                  list(f.pieces().stream().map(JavaTypes::string).toList()),
                  list(f.arguments().stream().map((ElemType t) -> "ElemType." + t.name()).toList()),
                  JavaTypes.string(f.backtrace()))
              + ")");
    }
    List<String> modules = new ArrayList<>();
    for (int[] ends : source.modules()) {
      modules.add(
          Arrays.stream(ends)
              .mapToObj(Integer::toString)
              .collect(Collectors.joining(", ", "new int[] {", "}")));
    }
    Writer out = new Writer();
    out.open("final class KernelText {");
    method("String", "pieces", pieces, out);
    method("KernelSource.KernelDeclaration", "kernels", declarations, out);
    method("KernelSource.Failure", "failures", failures, out);
    method("int[]", "modules", modules, out);
    out.open("static KernelSource source() {");
    out.line(
        "return new KernelSource("
            + String.join(
                ", ",
                "String.join(\"\", pieces())",
                list(source.options().stream().map(JavaTypes::string).toList()),
                "kernels()",
                "failures()",
                source.doubles() == null ? "null" : JavaTypes.string(source.doubles()),
                "KernelSource.Portable.of(KernelText.class)",
                "modules()")
            + ");");
    out.close("}");
    out.close("}");
    return out;
  }

  private static String list(List<String> values) {
    return values.size() <= 10
        ? "java.util.List.of(" + String.join(", ", values) + ")"
        : "java.util.Arrays.asList(" + String.join(", ", values) + ")";
  }

  /**
   * Writes a method that makes a list. Further methods make parts of the list, because methods are
   * limited in size.
   */
  private void method(String type, String name, List<String> values, Writer out) {
    String list = "java.util.List<" + type + ">";
    Writer calls = new Writer();
    int count = limits.part() / limits.value();
    for (int i = 0; i < values.size(); i += count) {
      String part = name + i / count;
      out.open("private static void " + part + "(" + list + " all) {");
      for (String v : values.subList(i, Math.min(values.size(), i + count))) {
        out.line("all.add(" + v + ");");
      }
      out.close("}");
      calls.line(part + "(all);");
    }
    out.open("static " + list + " " + name + "() {");
    out.line(list + " all = new java.util.ArrayList<>();");
    out.add(calls);
    out.line("return all;");
    out.close("}");
  }
}
