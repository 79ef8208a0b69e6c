package futharkc.core.codegen.java;

import static java.util.stream.Collectors.joining;

import futharkc.core.codegen.Identifiers;
import futharkc.core.codegen.Writer;
import futharkc.core.codegen.kernel.Dialect;
import futharkc.core.codegen.kernel.KernelPrinter;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.runtime.FutharkProgram;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A printer of imperative programs as Java: a program class, classes of static methods (one method
 * for each function), and a class for each parallel region, whose fields are the region's free
 * variables. Classes are many and small, so that none reaches the limits of the class file format.
 */
public final class JavaEmitter {
  /** The package of all generated classes. */
  public static final String PACKAGE = "futhark.generated";

  /** The name of the program class. */
  public static final String PROGRAM = "FutharkMain";

  /** The machine that the program is for. */
  final Machine machine;

  private final ImperativeProgram imp;
  private final String name;
  private final String backend;
  private final Map<String, Integer> tuning = new LinkedHashMap<>();
  private final Map<String, TuningParameter> parameters = new HashMap<>();
  private final Map<String, ImperativeProgram.Function> functions = new HashMap<>();
  private final Map<String, String> classOf = new HashMap<>();
  private final List<Writer> regions = new ArrayList<>();
  private final List<Writer> methods = new ArrayList<>();
  private final List<Writer> vectors = new ArrayList<>();
  private int vectorCount;
  private int methodCount;
  private int argumentObjects;
  private final ConstantArrays constants;
  private final Set<Name> constantNames;

  private final @Nullable DeviceCode device;

  private JavaEmitter(
      ImperativeProgram imp,
      String name,
      String backend,
      Machine machine,
      @Nullable DeviceCode device) {
    this.imp = imp;
    this.machine = machine;
    this.constants = new ConstantArrays(machine.methods());
    this.name = name;
    this.backend = backend;
    this.device = device;
    this.constantNames =
        imp.constants().stream().map(Code.Variable::name).collect(Collectors.toSet());
    for (ImperativeProgram.Function f : imp.functions()) {
      functions.put(f.name(), f);
    }
  }

  /**
   * Writes a program.
   *
   * @param name the name of the program, as its users see it
   * @param backend the name of the target
   * @param machine the machine of the target
   * @return a compilation unit
   */
  public static String emit(
      ImperativeProgram program, String name, String backend, Machine machine) {
    return new JavaEmitter(program, name, backend, machine, null).program();
  }

  /**
   * A program with kernels.
   *
   * @param java a compilation unit that contains the kernels' text
   * @param kernels the kernels, in their dialect
   * @param macros the default values of the kernels' macros; null if a value depends on the device
   */
  public record WithKernels(String java, String kernels, @Nullable Map<String, Long> macros) {}

  /**
   * Writes a program with kernels.
   *
   * @param name the name of the program, as its users see it
   * @param backend the name of the target
   * @param machine the machine of the target
   * @param dialect the language of the kernels
   * @param api the name of the class of the device interface: a {@link
   *     futharkc.core.runtime.device.DeviceApi} with a constructor without parameters
   */
  public static WithKernels emit(
      ImperativeProgram program,
      String name,
      String backend,
      Machine machine,
      Dialect dialect,
      String api) {
    DeviceCode device =
        new DeviceCode(
            new KernelPrinter(dialect, program, machine.device()), api, machine.methods());
    String java = new JavaEmitter(program, name, backend, machine, device).program();
    return new WithKernels(java, device.source().text(), device.macros());
  }

  /**
   * Returns a compilation unit of this printer in another package. In libraries, a program with
   * kernels finds its device interface among the services of the JVM.
   *
   * @param unit the compilation unit
   * @param packageName the package
   * @param api the name of the class of the device interface; null for programs without kernels
   */
  public static String inLibrary(String unit, String packageName, @Nullable String api) {
    String moved = unit.replaceFirst("package " + PACKAGE + ";", "package " + packageName + ";");
    return api == null
        ? moved
        : moved.replace(DeviceCode.newApi(api), "return findApi(" + JavaTypes.string(api) + ");");
  }

  /** Tests whether a compilation unit of this printer needs the JVM's module of vector classes. */
  public static boolean usesVectors(String unit) {
    return unit.contains(LaneWriter.imports());
  }

  private String program() {
    List<Writer> classes = new ArrayList<>();
    assignClasses();
    Writer current = null;
    String currentClass = "";
    for (ImperativeProgram.Function f : imp.functions()) {
      if (isOfKernels(f)) {
        continue;
      }
      String c = classOf.get(f.name());
      if (c == null) {
        throw new IllegalStateException("no class for " + f.name());
      }
      if (current == null || !c.equals(currentClass)) {
        if (current != null) {
          current.close("}");
        }
        current = new Writer();
        current.open("final class " + c + " {");
        currentClass = c;
        classes.add(current);
      }
      function(f, current);
    }
    if (current != null) {
      current.close("}");
    }
    Writer main = new Writer();
    new EntryWriter(imp, name, backend, this).write(main);
    Writer all = new Writer();
    all.line("package " + PACKAGE + ";");
    all.line("import futharkc.core.runtime.*;");
    if (device != null) {
      all.line("import futharkc.core.runtime.device.*;");
    }
    if (vectorCount > 0) {
      all.line(LaneWriter.imports());
    }
    all.line("import java.util.stream.IntStream;");
    all.add(main);
    classes.forEach(all::add);
    regions.forEach(all::add);
    for (Writer w : methods) {
      all.add(w.close("}"));
    }
    vectors.forEach(all::add);
    if (vectorCount > 0) {
      all.add(choices());
    }
    all.add(constants.classes());
    if (device != null) {
      all.add(device.text());
    }
    return all.toString();
  }

  /** Assigns functions to classes; functions share a class while the class stays small. */
  private void assignClasses() {
    int size = 0;
    int number = 0;
    for (ImperativeProgram.Function f : imp.functions()) {
      if (size > machine.methods().classSize()) {
        number++;
        size = 0;
      }
      classOf.put(f.name(), "Functions" + number);
      size += 200 * f.body().size() + 500;
    }
  }

  /** Returns the position of each tuning parameter. */
  Map<String, Integer> tuningPositions() {
    return tuning;
  }

  /** Returns the tuning parameters of the code, in the order of their positions. */
  Map<String, FutharkProgram.TuningParameter> tuningParameters() {
    Map<String, FutharkProgram.TuningParameter> all = new LinkedHashMap<>();
    for (String t : tuning.keySet()) {
      TuningParameter p = parameters.get(t);
      String sizeClass = p == null ? "user" : p.sizeClass().toString();
      long byDefault = p == null ? 0 : DeviceCode.defaultValue(p.sizeClass());
      all.put(t, new FutharkProgram.TuningParameter(t, sizeClass, byDefault));
    }
    return all;
  }

  /** Returns the position of a tuning parameter. */
  int tuning(TuningParameter parameter) {
    parameters.put(parameter.name(), parameter);
    return tuning.computeIfAbsent(parameter.name(), k -> tuning.size());
  }

  /** Returns the device state of a program with kernels; null for other programs. */
  @Nullable DeviceCode device() {
    return device;
  }

  /** Returns a printer of device statements; null if the program has no device. */
  @Nullable HostWriter host(JavaExprs exprs, Writer out) {
    return device == null ? null : new HostWriter(this, device, exprs, out);
  }

  /**
   * Tests whether only kernels call a function: in a program with a device, functions of one
   * thread.
   */
  private boolean isOfKernels(ImperativeProgram.Function f) {
    return device != null && f.onOneThread();
  }

  String type(Code.Variable v) {
    return v.isBlock() ? block(v.type()) : JavaTypes.type(v.type());
  }

  /** Returns the Java type of a block. */
  String block(PrimType elem) {
    return device == null ? JavaTypes.block(elem) : "Buffer";
  }

  private static String method(String function) {
    return "f_" + Identifiers.word(function);
  }

  /** Returns the Java expression that names a function in calls. */
  String function(String function) {
    return classOf.get(function) + "." + method(function);
  }

  /**
   * Returns a call of a function. If a method cannot take that many arguments, statements before
   * the call put the arguments into an object.
   *
   * @param args the arguments, without the program
   */
  String call(String function, List<String> args, Writer out) {
    ImperativeProgram.Function f = functions.get(function);
    if (f == null) {
      throw new IllegalStateException("no function " + function);
    }
    if (!hasManyParams(f)) {
      return function(function) + "(p" + args.stream().map(a -> ", " + a).collect(joining()) + ")";
    }
    String type = classOf.get(function) + "." + arguments(f);
    String a = "arguments" + argumentObjects++;
    out.line(type + " " + a + " = new " + type + "();");
    for (int i = 0; i < args.size(); i++) {
      out.line(a + ".a" + i + " = " + args.get(i) + ";");
    }
    return function(function) + "(p, " + a + ")";
  }

  private boolean hasManyParams(ImperativeProgram.Function f) {
    return f.params().size() > machine.methods().arguments();
  }

  private static String arguments(ImperativeProgram.Function f) {
    return "Arguments_" + Identifiers.word(f.name());
  }

  /** Returns the class of a function's results, if the function has several. */
  String results(String function) {
    return classOf.get(function) + ".Results_" + Identifiers.word(function);
  }

  /** Returns an expression for a constant array. */
  String constant(PrimType elem, List<PrimValue> values) {
    return constants.add(elem, values);
  }

  /** Returns a fresh name for a class that {@link #addVectors} will add. */
  String newVectors() {
    return "Vectors" + vectorCount++;
  }

  /** Adds a class with the vector code of a loop. */
  void addVectors(Writer type) {
    vectors.add(type);
  }

  /** Returns a class with the choices between vector code and scalar code. */
  private Writer choices() {
    Writer w = new Writer();
    w.open("final class Choices {");
    for (int i = 0; i < vectorCount; i++) {
      String type = "Vectors" + i;
      w.line(
          "static final VectorChoice "
              + type
              + " = new VectorChoice(Choices.class, "
              + JavaTypes.string(type)
              + ");");
    }
    w.close("}");
    return w;
  }

  /** Returns a fresh name for a method that {@link #addMethod} will add. */
  String newMethod() {
    return "loop" + methodCount++;
  }

  /**
   * Adds a method, or several declarations, to a class.
   *
   * @return the name of the class
   */
  String addMethod(Writer method) {
    if (methods.isEmpty()
        || methods.get(methods.size() - 1).length() > machine.methods().classSize()) {
      methods.add(new Writer().open("final class Loops" + methods.size() + " {"));
    }
    methods.get(methods.size() - 1).add(method);
    return "Loops" + (methods.size() - 1);
  }

  JavaExprs exprs() {
    return new JavaExprs(tuning, device != null);
  }

  /** Writes local variables for the constants that code uses. */
  void constantLocals(Collection<Code.Variable> used, Writer out) {
    for (Code.Variable v : used) {
      if (constantNames.contains(v.name())) {
        String n = Identifiers.name(v.name());
        out.line("final " + type(v) + " " + n + " = p." + n + ";");
      }
    }
  }

  private void function(ImperativeProgram.Function f, Writer out) {
    if (device != null) {
      device.nextFunction(f);
    }
    List<String> params = new ArrayList<>();
    params.add(PROGRAM + " p");
    Set<Name> declared = new LinkedHashSet<>();
    for (Code.Variable v : f.params()) {
      if (!hasManyParams(f)) {
        params.add(type(v) + " " + Identifiers.name(v.name()));
      }
      declared.add(v.name());
    }
    if (hasManyParams(f)) {
      params.add(arguments(f) + " arguments");
      out.open("static final class " + arguments(f) + " {");
      for (int i = 0; i < f.params().size(); i++) {
        out.line(type(f.params().get(i)) + " a" + i + ";");
      }
      out.close("}");
    }
    List<Code.Operand> results = f.results();
    String result =
        switch (results.size()) {
          case 0 -> "void";
          case 1 -> operandType(results.get(0));
          default -> "Results_" + Identifiers.word(f.name());
        };
    if (results.size() > 1) {
      out.open("static final class " + result + " {");
      for (int i = 0; i < results.size(); i++) {
        out.line(operandType(results.get(i)) + " r" + i + ";");
      }
      out.close("}");
    }
    out.open("static " + result + " " + method(f.name()) + "(" + String.join(", ", params) + ") {");
    if (hasManyParams(f)) {
      for (int i = 0; i < f.params().size(); i++) {
        Code.Variable v = f.params().get(i);
        out.line(type(v) + " " + Identifiers.name(v.name()) + " = arguments.a" + i + ";");
      }
    }
    constantLocals(Variables.usedBy(f.body(), results, declared), out);
    JavaExprs exprs = exprs();
    List<Code.Variable> inputs = new ArrayList<>(f.params());
    for (Code.Variable v : Variables.usedBy(f.body(), results, declared)) {
      if (constantNames.contains(v.name())) {
        inputs.add(v);
      }
    }
    statements("Frame_" + Identifiers.word(f.name()), f.body(), inputs, results, exprs, out);
    if (results.size() == 1) {
      out.line("return " + operand(exprs, results.get(0)) + ";");
    } else if (results.size() > 1) {
      out.line(result + " r = new " + result + "();");
      for (int i = 0; i < results.size(); i++) {
        out.line("r.r" + i + " = " + operand(exprs, results.get(i)) + ";");
      }
      out.line("return r;");
    }
    out.close("}");
  }

  /** Writes a method's statements, split over several methods if one method would be too large. */
  private void statements(
      String frame,
      List<Code> code,
      Collection<Code.Variable> inputs,
      List<Code.Operand> results,
      JavaExprs exprs,
      Writer out) {
    if (!MethodSplitting.isTooLarge(code, machine.methods())) {
      new CodeWriter(this, exprs, out).all(code);
      return;
    }
    split(frame, code, inputs, out);
    Set<Name> known = inputs.stream().map(Code.Variable::name).collect(Collectors.toSet());
    for (Code.Variable v : Variables.usedBy(List.of(), results, known)) {
      String n = Identifiers.name(v.name());
      out.line(type(v) + " " + n + " = s." + n + ";");
    }
  }

  /** Writes statements as methods that work on a frame {@code s}, which holds the inputs. */
  void split(String frame, List<Code> code, Collection<Code.Variable> inputs, Writer out) {
    MethodSplitting split = new MethodSplitting(this, frame);
    out.line(frame + " s = new " + frame + "();");
    for (Code.Variable v : inputs) {
      String n = Identifiers.name(v.name());
      out.line("s." + n + " = " + n + ";");
    }
    split.write(code, inputs, out);
    regions.addAll(split.classes());
  }

  private String operandType(Code.Operand o) {
    return switch (o) {
      case Code.Operand.Scalar s -> JavaTypes.type(s.value().type());
      case Code.Operand.Block b -> block(b.elem());
    };
  }

  private static String operand(JavaExprs exprs, Code.Operand o) {
    return switch (o) {
      case Code.Operand.Scalar s -> exprs.expr(s.value());
      case Code.Operand.Block b -> Identifiers.name(b.name());
    };
  }

  /**
   * Writes the class of a parallel region.
   *
   * @param bodies one body, or the bodies of a chained scan
   * @return the name of the class
   */
  String region(
      String label, Name chunk, Name from, Name to, List<List<Code>> bodies, boolean scan) {
    Writer out = new Writer();
    regions.add(out);
    String c = "Region" + regions.size() + "_" + Identifiers.word(label);
    String kind = scan ? "ChainedScan" : "ParallelRegion";
    out.open("final class " + c + " extends " + kind + " {");
    out.line("final " + PROGRAM + " p;");
    List<Collection<Code.Variable>> used = new ArrayList<>();
    Map<Name, Code.Variable> fields = new LinkedHashMap<>();
    for (List<Code> body : bodies) {
      Collection<Code.Variable> u = CodeWriter.captured(body, chunk, from, to);
      used.add(u);
      for (Code.Variable v : u) {
        fields.put(v.name(), v);
      }
    }
    for (Code.Variable v : fields.values()) {
      out.line(type(v) + " " + Identifiers.name(v.name()) + ";");
    }
    out.open(c + "(" + PROGRAM + " p, long n, int chunks) {");
    out.line("super(p.ctx, n, chunks);");
    out.line("this.p = p;");
    out.close("}");
    List<String> methods = scan ? List.of("reduce", "combine", "scan") : List.of("run");
    for (int i = 0; i < bodies.size(); i++) {
      String ch = Identifiers.name(chunk);
      out.open(
          "protected void "
              + methods.get(i)
              + "(int chunk, long "
              + Identifiers.name(from)
              + ", long "
              + Identifiers.name(to)
              + ") {");
      out.line("final long " + ch + " = chunk;");
      for (Code.Variable v : used.get(i)) {
        String n = Identifiers.name(v.name());
        out.line("final " + type(v) + " " + n + " = this." + n + ";");
      }
      List<Code.Variable> inputs = new ArrayList<>(used.get(i));
      for (Name n : List.of(chunk, from, to)) {
        inputs.add(new Code.Variable(n, PrimType.I64, false));
      }
      statements(c + "Frame" + i, bodies.get(i), inputs, List.of(), exprs(), out);
      out.close("}");
    }
    out.close("}");
    return c;
  }

  /** Writes the statements that compute the program's constants. */
  void initialise(Writer out) {
    if (device != null) {
      device.nextFunction(imp.initialise());
    }
    List<Code.Operand> all = new ArrayList<>();
    for (Code.Variable v : imp.constants()) {
      all.add(
          v.isBlock()
              ? new Code.Operand.Block(v.name(), v.type())
              : new Code.Operand.Scalar(
                  new futharkc.core.ir.imperative.Expr.Var(v.name(), v.type())));
    }
    statements("Frame_constants", imp.initialise().body(), List.of(), all, exprs(), out);
    for (Code.Variable v : imp.constants()) {
      String n = Identifiers.name(v.name());
      out.line("p." + n + " = " + n + ";");
    }
  }
}
