package futharkc.core.codegen.kernel;

import futharkc.core.codegen.Identifiers;
import futharkc.core.codegen.Writer;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Name;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.runtime.device.KernelSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A printer of a program's kernels, for all dialects.
 *
 * <p>The parameters of a kernel are, in this order: the record of failures, in a program whose
 * kernels can fail; the base of failure numbers, if this kernel can fail; the kernel's free
 * variables; and the offset of each shared block but the first. Tuning parameters that are fixed
 * while a program is loaded are macros.
 */
public final class KernelPrinter {
  /** The prefix of the names of tuning parameters' macros. */
  public static final String MACRO = "SIZE_";

  private final Dialect dialect;
  private final KernelLibrary library;
  private final FailureTable failures = new FailureTable();
  private final KernelFunctions functions;
  private final boolean failing;
  private final List<String> kernels = new ArrayList<>();
  private int module = -1;
  private int moduleSize;
  private final int moduleLimit;
  private final List<KernelSource.KernelDeclaration> declarations = new ArrayList<>();
  private final Set<TuningParameter> sizes = new LinkedHashSet<>();
  private @Nullable String doubles;

  /** Creates a printer for a program in GPU_IMP. */
  public KernelPrinter(Dialect dialect, ImperativeProgram program, Machine.Device device) {
    this.dialect = dialect;
    moduleLimit = device.compiler().moduleText();
    library = new KernelLibrary(dialect);
    functions = new KernelFunctions(dialect, library, failures, program, device.compiler());
    failing = KernelFailures.in(program);
  }

  /**
   * The launch interface of a printed kernel.
   *
   * @param number the kernel's position in {@link #source}
   * @param takesFailures true if the kernel takes the record of failures
   * @param canFail true if the kernel takes the base of failure numbers
   * @param arguments the variables that the kernel takes
   */
  public record Printed(
      int number, boolean takesFailures, boolean canFail, List<Code.Variable> arguments) {}

  /**
   * Prints a kernel.
   *
   * @param tuned the free variables that hold values of tuning parameters
   */
  public Printed print(Code.Launch launch, Map<Name, TuningParameter> tuned) {
    Set<Name> bound = new LinkedHashSet<>(launch.bound());
    List<Code.Variable> arguments = new ArrayList<>();
    Map<Name, String> macros = new HashMap<>();
    for (Code.Variable v : Variables.usedBy(launch.body(), bound)) {
      TuningParameter parameter = tuned.get(v.name());
      if (parameter == null) {
        arguments.add(v);
      } else {
        macros.put(v.name(), "((i64) " + macro(parameter) + ")");
      }
    }
    boolean doubleBefore = library.usesDoubles();
    Writer body = new Writer();
    KernelCode code = new KernelCode(dialect, library, functions, failures, macros, false, body);
    List<String> params = new ArrayList<>();
    List<Integer> widths = new ArrayList<>();
    Writer head = new Writer().open("");
    for (Code.Variable v : arguments) {
      if (v.isBlock()) {
        code.declare(v.name(), Code.Memory.DEVICE);
        params.add("GLOBAL i8 *" + Identifiers.name(v.name()));
        widths.add(8);
      } else {
        parameter(v, code.exprs(), params, head);
        widths.add(v.type().bytes());
      }
    }
    for (int i = 0; i < launch.shared().size(); i++) {
      Name block = launch.shared().get(i).block();
      code.declare(block, Code.Memory.SHARED);
      String offset = i == 0 ? "" : " + " + Identifiers.name(block) + "_at";
      head.line(
          "SHARED i8 *"
              + Identifiers.name(block)
              + " = (SHARED i8 *) shared_memory"
              + offset
              + ";");
      if (i > 0) {
        params.add("i32 " + Identifiers.name(block) + "_at");
        widths.add(4);
      }
    }
    head.line("const i64 " + Identifiers.name(launch.block()) + " = BLOCK(0);");
    head.line("const i64 " + Identifiers.name(launch.thread()) + " = THREAD(0);");
    code.all(launch.body());
    boolean canFail = code.canFail();
    if (failing) {
      if (canFail) {
        params.addFirst("i32 failure_base");
        widths.addFirst(4);
      }
      params.addFirst("GLOBAL volatile i32 *failure");
      widths.addFirst(8);
    }
    boolean shared = !launch.shared().isEmpty();
    Dialect.SharedMemory memory = dialect.sharedMemory();
    if (shared && memory.parameter() != null) {
      params.add(memory.parameter());
    }
    String name = kernelName(launch.label());
    Writer kernels = new Writer();
    kernels.line("// " + place(launch.loc()));
    kernels.line("KERNEL" + bounds(launch, tuned));
    kernels.line("void " + name + "(" + String.join(", ", params) + ") {");
    if (shared && memory.declaration() != null) {
      kernels.line("  " + memory.declaration());
    }
    boolean flag = code.showsFailure();
    if (flag) {
      kernels.line("  " + memory.qualifier() + " i32 block_failed;");
    }
    if (code.shows()) {
      kernels.line("  " + memory.qualifier() + " i64 shown[1024];");
    }
    if (canFail) {
      kernels.line("  bool failed = false;");
    }
    if (failing) {
      kernels.line(
          canFail
              ? "  if (*failure >= 0 && (u32) (*failure - failure_base) >= FAILURES) return;"
              : "  if (*failure >= 0) return;");
    }
    if (flag) {
      kernels.line("  if (THREAD(0) == 0) block_failed = 0;");
      kernels.line("  " + library.use("sync") + "();");
    }
    kernels.add(head);
    kernels.add(body);
    kernels.line("}");
    add(kernels.toString());
    if (doubles == null && library.usesDoubles() && !doubleBefore) {
      doubles = name + " (" + place(launch.loc()) + ")";
    }
    declarations.add(
        new KernelSource.KernelDeclaration(
            name,
            place(launch.loc()),
            widths.stream().mapToInt(Integer::intValue).toArray(),
            shared,
            module));
    return new Printed(declarations.size() - 1, failing, canFail, arguments);
  }

  /** Records that the following kernels belong to another function. */
  public void nextFunction() {
    moduleSize = moduleLimit;
  }

  /**
   * Adds a kernel. The kernels of a function form one module, up to a limit on the module's length.
   */
  private void add(String kernel) {
    if (module < 0 || moduleSize > 0 && moduleSize + kernel.length() > moduleLimit) {
      module++;
      moduleSize = 0;
    }
    moduleSize += kernel.length();
    kernels.add(kernel);
  }

  /**
   * Prints a scalar parameter. The kernel's first statements convert it if its element type
   * differs.
   */
  private static void parameter(
      Code.Variable v, KernelExprs exprs, List<String> params, Writer head) {
    String name = Identifiers.name(v.name());
    String element = KernelTypes.element(v.type());
    if (element.equals(KernelTypes.scalar(v.type()))) {
      params.add(element + " " + name);
      return;
    }
    params.add(element + " " + name + "_bits");
    head.line(
        "const "
            + KernelTypes.scalar(v.type())
            + " "
            + name
            + " = "
            + exprs.fromElement(v.type(), name + "_bits")
            + ";");
  }

  private String macro(TuningParameter parameter) {
    sizes.add(parameter);
    return MACRO + Identifiers.word(parameter.name());
  }

  /**
   * Returns the launch bounds: the size of a thread block, and the number of thread blocks per
   * multiprocessor, as far as they are known.
   */
  private String bounds(Code.Launch launch, Map<Name, TuningParameter> tuned) {
    String size =
        switch (launch.threads()) {
          case Expr.Const c -> Long.toString(c.value().asLong());
          case Expr.Var v when tuned.containsKey(v.name()) -> macro(tuned.get(v.name()));
          case Expr.Var _,
              Expr.Index _,
              Expr.Binary _,
              Expr.Unary _,
              Expr.Compare _,
              Expr.Convert _,
              Expr.Apply _,
              Expr.Load _,
              Expr.Capacity _,
              Expr.Tuning _ ->
              "";
        };
    return dialect.launchBounds(size, launch.grid().resident());
  }

  private static String kernelName(String label) {
    return "k_" + Identifiers.word(label);
  }

  private static String place(Loc loc) {
    return loc.equals(Loc.NONE) ? "unknown" : loc.toString();
  }

  /**
   * Returns the tuning parameters whose values are macros, named {@link #MACRO} and the parameter's
   * name.
   */
  public List<TuningParameter> macros() {
    return List.copyOf(sizes);
  }

  /** Returns the name of a tuning parameter's macro. */
  public static String macroName(TuningParameter parameter) {
    return MACRO + Identifiers.word(parameter.name());
  }

  /** Returns the text of all printed kernels. */
  public KernelSource source() {
    StringBuilder all = new StringBuilder(dialect.preamble());
    if (library.usesDoubles()) {
      all.append(dialect.doubles());
    }
    if (library.usesWideAtomics()) {
      all.append(dialect.wideAtomics());
    }
    all.append("#define FAILURES ").append(Math.max(1, failures.all().size())).append('\n');
    all.append(library.text());
    KernelModules modules = new KernelModules(all.length());
    functions
        .texts()
        .forEach(
            (name, text) -> {
              modules.function(name, text, all.length());
              all.append(text);
            });
    for (int i = 0; i < kernels.size(); i++) {
      modules.kernel(declarations.get(i).module(), kernels.get(i), all.length());
      all.append(kernels.get(i));
    }
    return new KernelSource(
        all.toString(),
        dialect.options(),
        declarations,
        failures.all(),
        doubles,
        null,
        modules.pieces());
  }
}
