package futharkc.core.codegen.kernel;

import futharkc.core.codegen.Identifiers;
import futharkc.core.codegen.Writer;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Barriers;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A printer of the statements of a kernel, or of a function that kernels call. A thread that fails
 * sets its {@code failed}, and leaves the innermost attempt or the function.
 */
final class KernelCode {
  private final Dialect dialect;
  private final KernelLibrary library;
  private final KernelFunctions functions;
  private final FailureTable failures;
  private final KernelExprs exprs;
  private final Writer out;

  /** The memory spaces of the blocks that the code can name. */
  private final Map<Name, Code.Memory> memories = new HashMap<>();

  /** The macros of variables whose values are macros. */
  private final Map<Name, String> macros;

  /** The statement that follows a failure, such as a goto or return; null outside of attempts. */
  private @Nullable String way;

  private final boolean inFunction;
  private int attempts;
  private boolean canFail;
  private boolean showsFailure;
  private boolean shows;

  private final Barriers barriers = new Barriers();

  /** The number of loops around the current statement that contain a barrier. */
  private int loopsAroundBarriers;

  /**
   * Creates a printer for one kernel or function.
   *
   * @param macros the macros of variables whose values are macros
   */
  KernelCode(
      Dialect dialect,
      KernelLibrary library,
      KernelFunctions functions,
      FailureTable failures,
      Map<Name, String> macros,
      boolean inFunction,
      Writer out) {
    this.dialect = dialect;
    this.library = library;
    this.functions = functions;
    this.failures = failures;
    this.macros = macros;
    this.inFunction = inFunction;
    this.out = out;
    this.exprs = new KernelExprs(dialect, library, new Blocks());
  }

  private final class Blocks implements KernelExprs.Environment {
    @Override
    public String variable(Name name) {
      return macros.getOrDefault(name, Identifiers.name(name));
    }

    @Override
    public String element(Name block, PrimType type, String index) {
      return KernelCode.this.element(block, type, index, "");
    }

    @Override
    public String tuning(Expr.Tuning parameter) {
      throw new IllegalStateException("a kernel uses the tuning parameter " + parameter.name());
    }
  }

  KernelExprs exprs() {
    return exprs;
  }

  void declare(Name block, Code.Memory memory) {
    memories.put(block, memory);
  }

  Code.Memory memory(Name block) {
    Code.Memory memory = memories.get(block);
    if (memory == null) {
      throw new IllegalStateException("no block " + block + " in a kernel");
    }
    return memory;
  }

  /** Tests whether the printed code contains an assertion, or a call that can fail. */
  boolean canFail() {
    return canFail;
  }

  /**
   * Tests whether the printed code tells the threads of a thread block, through shared memory, that
   * one of them has failed.
   */
  boolean showsFailure() {
    return showsFailure;
  }

  /**
   * Tests whether the printed code exchanges values between threads through shared memory for lack
   * of a shuffle.
   */
  boolean shows() {
    return shows;
  }

  /** Returns the qualifier of pointers to a memory space. */
  static String space(Code.Memory memory) {
    return switch (memory) {
      case DEVICE -> "GLOBAL ";
      case SHARED -> "SHARED ";
      case PRIVATE -> "";
    };
  }

  /** Returns the type of a variable that points to a block. */
  static String pointer(Code.Memory memory, PrimType elem) {
    return memory == Code.Memory.PRIVATE
        ? KernelTypes.element(elem) + " *"
        : space(memory) + "i8 *";
  }

  private String element(Name block, PrimType type, String index, String qualifier) {
    return "(" + typed(block, type, qualifier) + ")[" + index + "]";
  }

  /** Returns the block as a pointer to elements of a type. */
  private String typed(Name block, PrimType type, String qualifier) {
    Code.Memory memory = memory(block);
    String name = Identifiers.name(block);
    if (type == PrimType.F64) {
      library.useDoubles();
    }
    return memory == Code.Memory.PRIVATE && qualifier.isEmpty()
        ? name
        : "(" + qualifier + space(memory) + KernelTypes.element(type) + " *) " + name;
  }

  void all(List<Code> code) {
    for (Code c : code) {
      one(c);
    }
  }

  private static String name(Name n) {
    return Identifiers.name(n);
  }

  private void one(Code code) {
    switch (code) {
      case Code.Declare d ->
          declare(d.name(), d.type(), d.value() == null ? null : exprs.expr(d.value()));
      case Code.Assign a -> out.line(name(a.name()) + " = " + exprs.expr(a.value()) + ";");
      case Code.SetBlock s -> out.line(name(s.block()) + " = " + name(s.value()) + ";");
      case Code.DeclareBlock d -> {
        Name value = d.value();
        if (value == null) {
          throw unexpected(code);
        }
        pointer(d.block(), memory(value), d.elem(), value, "");
      }
      case Code.ConstantBlock c -> {
        if (c.elem() == PrimType.F64) {
          library.useDoubles();
        }
        declare(c.block(), Code.Memory.PRIVATE);
        String values =
            c.values().stream()
                .map(v -> exprs.toElement(c.elem(), KernelTypes.constant(v)))
                .collect(Collectors.joining(", "));
        out.line(
            KernelTypes.element(c.elem())
                + " "
                + name(c.block())
                + "["
                + Math.max(1, c.values().size())
                + "] = {"
                + (values.isEmpty() ? "0" : values)
                + "};");
      }
      case Code.Store s -> store(s.block(), s.elem(), s.index(), s.value(), "");
      case Code.If i -> {
        out.open("if (" + exprs.expr(i.cond()) + ") {");
        all(i.then());
        if (!i.otherwise().isEmpty()) {
          out.close("} else {").open("");
          all(i.otherwise());
        }
        out.close("}");
      }
      case Code.IfUnused i -> {
        List<String> tests = new ArrayList<>();
        for (Name n : i.inUse()) {
          // Only blocks in the same memory space can be the same block.
          if (memory(n) == memory(i.block())) {
            tests.add(name(i.block()) + " != " + name(n));
          }
        }
        out.open("if (" + (tests.isEmpty() ? "true" : String.join(" && ", tests)) + ") {");
        all(i.then());
        out.close("} else {").open("");
        all(i.otherwise());
        out.close("}");
      }
      case Code.For f -> loop(f);
      case Code.While w -> whileLoop(w);
      case Code.Scope s -> scope(s.body());
      case Code.Outlined o -> scope(o.body());
      case Code.Assert a -> check(a);
      case Code.Call c -> call(c);
      case Code.Kernel k -> own(k);
      case Code.Alloc x -> throw unexpected(code);
      case Code.DeclareScratch x -> throw unexpected(code);
      case Code.Reserve x -> throw unexpected(code);
      case Code.Free x -> throw unexpected(code);
      case Code.Pin x -> throw unexpected(code);
      case Code.CopyRun x -> throw unexpected(code);
      case Code.FillRun x -> throw unexpected(code);
      case Code.MapRun x -> throw unexpected(code);
      case Code.CheckCancelled x -> throw unexpected(code);
      case Code.Trace x -> throw unexpected(code);
      case Code.Vector x -> throw unexpected(code);
      case Code.Multicore x -> throw unexpected(code);
      case Code.Host x -> throw unexpected(code);
    }
  }

  private void scope(List<Code> body) {
    out.open("{");
    all(body);
    out.close("}");
  }

  private static IllegalStateException unexpected(Code code) {
    return new IllegalStateException("in a kernel: " + code);
  }

  private void declare(Name name, PrimType type, @Nullable String value) {
    if (type == PrimType.F64) {
      library.useDoubles();
    }
    out.line(
        KernelTypes.scalar(type) + " " + name(name) + (value == null ? "" : " = " + value) + ";");
  }

  private void pointer(
      Name block, Code.Memory memory, PrimType elem, @Nullable Name value, String offset) {
    declare(block, memory);
    String start = value == null ? "" : " = " + name(value) + offset;
    out.line(pointer(memory, elem) + name(block) + start + ";");
  }

  private void store(Name block, PrimType elem, Poly index, Expr value, String qualifier) {
    out.line(
        element(block, elem, exprs.offset(index), qualifier)
            + " = "
            + exprs.toElement(elem, exprs.expr(value))
            + ";");
  }

  private void loop(Code.For f) {
    String i = name(f.index());
    String type = KernelTypes.scalar(f.type());
    String from = type + " " + i + " = " + exprs.expr(f.from());
    out.open("{");
    boolean around = barriers.areIn(f);
    bound(type, i + "_end", exprs.expr(f.to()), around);
    loop(String.join("; ", from, i + " < " + i + "_end", i + "++"), around, f.body());
    out.close("}");
  }

  private void strided(Code.Strided s) {
    String i = name(s.index());
    String from = "i64 " + i + " = " + exprs.expr(s.from());
    out.open("{");
    boolean around = barriers.areIn(s);
    bound("i64", i + "_end", exprs.expr(s.to()), around);
    out.line("const i64 " + i + "_step = " + exprs.expr(s.step()) + ";");
    loop(
        String.join("; ", from, i + " < " + i + "_end", i + " += " + i + "_step"),
        around,
        s.body());
    out.close("}");
  }

  private void loop(String head, boolean aroundBarrier, List<Code> body) {
    out.open("for (" + head + ") {");
    loopBody(aroundBarrier, body);
  }

  private void loopBody(boolean aroundBarrier, List<Code> body) {
    if (aroundBarrier) {
      loopsAroundBarriers++;
    }
    all(body);
    if (aroundBarrier) {
      loopsAroundBarriers--;
    }
    out.close("}");
  }

  private void whileLoop(Code.While w) {
    String go = name(w.cond());
    boolean around = barriers.areIn(w);
    if (mustHideStart(around)) {
      out.open("{");
      out.line("i32 " + go + "_start = " + go + ";");
      out.line(library.use("stays_inside") + "(" + go + "_start);");
      out.line(go + " = " + go + "_start;");
      out.close("}");
    }
    out.open("while (" + go + ") {");
    loopBody(around, w.body());
  }

  /** Declares the bound of a loop. */
  private void bound(String type, String variable, String value, boolean aroundBarrier) {
    boolean hidden = mustHideStart(aroundBarrier);
    out.line((hidden ? "" : "const ") + type + " " + variable + " = " + value + ";");
    if (hidden) {
      out.line(library.use("stays_inside") + "(" + variable + ");");
    }
  }

  /**
   * Returns true if the kernel must hide from the kernel compiler whether a loop has a first
   * iteration. Some compilers move that decision out of a loop around a barrier, where one thread
   * decides for all threads of the thread block.
   */
  private boolean mustHideStart(boolean aroundBarrier) {
    return dialect.movesLoopStarts() && loopsAroundBarriers > 0 && !aroundBarrier;
  }

  // Failures

  private void check(Code.Assert a) {
    String next = way;
    if (next == null) {
      throw unexpected(a);
    }
    canFail = true;
    List<Expr> values = new ArrayList<>();
    int number = failures.add(a, values);
    out.open("if (!" + exprs.expr(a.cond()) + ") {");
    out.open("if (" + library.use("fail") + "(failure, failure_base + " + number + ")) {");
    for (int i = 0; i < values.size(); i++) {
      out.line("((GLOBAL volatile i64 *) failure)[" + (i + 1) + "] = " + bits(values.get(i)) + ";");
    }
    out.close("}");
    out.line((inFunction ? "*failed" : "failed") + " = true;");
    out.line(next);
    out.close("}");
  }

  private String bits(Expr e) {
    String value = exprs.expr(e);
    return "(i64) "
        + switch (e.type()) {
          case F16, F32, F64 -> library.use("bits_" + e.type()) + "(" + value + ")";
          case I8, I16, I32, I64, BOOL -> value;
          case UNIT -> "0";
        };
  }

  private void attempt(Code.Attempt a) {
    if (inFunction || way != null) {
      throw unexpected(a);
    }
    boolean before = canFail;
    canFail = false;
    String label = "attempt_" + attempts++;
    way = "goto " + label + ";";
    out.open("{");
    all(a.body());
    out.close("}");
    way = null;
    if (canFail) {
      out.line(label + ": ;");
    }
    canFail |= before;
  }

  /** Sets the statement by which a function returns after a failure. */
  void leavingBy(String statement) {
    way = statement;
  }

  private void call(Code.Call c) {
    List<Code.Memory> spaces = new ArrayList<>();
    List<String> args = new ArrayList<>();
    for (Code.Operand o : c.args()) {
      switch (o) {
        case Code.Operand.Scalar s -> args.add(exprs.expr(s.value()));
        case Code.Operand.Block b -> {
          spaces.add(memory(b.name()));
          args.add(name(b.name()));
        }
      }
    }
    KernelFunctions.Printed f = functions.of(c.function(), spaces);
    if (f.canFail()) {
      args.addAll(List.of("failure", "failure_base", inFunction ? "failed" : "&failed"));
    }
    String call = f.name() + "(" + String.join(", ", args) + ")";
    int blocks = 0;
    for (Code.Variable v : c.targets()) {
      if (v.isBlock()) {
        declare(v.name(), f.results().get(blocks++));
      }
    }
    switch (c.targets().size()) {
      case 0 -> out.line(call + ";");
      case 1 ->
          out.line(
              type(c.targets().get(0))
                  + " "
                  + name(c.targets().get(0).name())
                  + " = "
                  + call
                  + ";");
      default -> {
        String r = "r_" + name(c.targets().get(0).name());
        out.line(f.type() + " " + r + " = " + call + ";");
        for (int i = 0; i < c.targets().size(); i++) {
          Code.Variable v = c.targets().get(i);
          out.line(type(v) + " " + name(v.name()) + " = " + r + ".r" + i + ";");
        }
      }
    }
    if (f.canFail()) {
      String next = way;
      if (next == null) {
        throw unexpected(c);
      }
      canFail = true;
      out.line("if (" + (inFunction ? "*failed" : "failed") + ") " + next);
    }
  }

  /** Returns the type of a variable of this code. */
  String type(Code.Variable v) {
    return v.isBlock() ? pointer(memory(v.name()), v.type()) : KernelTypes.scalar(v.type());
  }

  // Statements of kernels only

  private void own(Code.Kernel code) {
    switch (code) {
      case Code.Private p -> {
        if (p.elem() == PrimType.F64) {
          library.useDoubles();
        }
        declare(p.block(), Code.Memory.PRIVATE);
        out.line(
            KernelTypes.element(p.elem())
                + " "
                + name(p.block())
                + "["
                + Math.max(1, p.size())
                + "];");
      }
      case Code.DeclarePointer p -> {
        String offset = p.offset().isZero() ? "" : " + " + exprs.offset(p.offset());
        pointer(p.block(), p.memory(), p.elem(), p.value(), offset);
      }
      case Code.Barrier b -> out.line(library.use("sync") + "();");
      case Code.Fence f -> out.line(library.use(f.ofBlock() ? "fence_of_block" : "fence") + "();");
      case Code.Shuffle s -> shuffle(s);
      case Code.SineAndCosine s -> sineAndCosine(s);
      case Code.Atomic a ->
          declare(
              a.old(),
              a.elem(),
              dialect.atomic(
                  a.op(),
                  element(a.block(), a.elem(), a.index()),
                  exprs.expr(a.operand()),
                  library));
      case Code.CompareAndSet c ->
          declare(
              c.old(),
              c.elem(),
              dialect.compareAndSet(
                  element(c.block(), c.elem(), c.index()),
                  exprs.expr(c.expected()),
                  exprs.expr(c.value()),
                  library));
      case Code.VolatileLoad l ->
          declare(
              l.target(),
              l.elem(),
              exprs.fromElement(
                  l.elem(), element(l.block(), l.elem(), exprs.offset(l.index()), "volatile ")));
      case Code.VolatileStore s -> store(s.block(), s.elem(), s.index(), s.value(), "volatile ");
      case Code.Strided s -> strided(s);
      case Code.Attempt a -> attempt(a);
      case Code.LeaveIfFailed l -> leave();
    }
  }

  /** Prints a combined sine and cosine, as one statement if the dialect has such a statement. */
  private void sineAndCosine(Code.SineAndCosine s) {
    String operand = exprs.expr(s.operand());
    String combined = dialect.sineAndCosine(s.type(), operand, name(s.sine()), name(s.cosine()));
    if (combined == null) {
      declare(s.sine(), s.type(), "sin(" + operand + ")");
      declare(s.cosine(), s.type(), "cos(" + operand + ")");
      return;
    }
    declare(s.sine(), s.type(), null);
    declare(s.cosine(), s.type(), null);
    out.line(combined);
  }

  /**
   * Prints a shuffle. Without such an operation, threads exchange their values through shared
   * memory.
   */
  private void shuffle(Code.Shuffle s) {
    String distance = exprs.expr(s.distance());
    String mine = exprs.expr(s.value());
    String value = dialect.shuffle(mine, distance, s.width(), library);
    if (value == null) {
      shows = true;
      out.line(library.use("sync") + "();");
      out.line("shown[THREAD(0)] = " + bits(s.value()) + ";");
      out.line("sync();");
      String other = library.use("further_on") + "(" + distance + ", " + s.width() + ")";
      value = fromBits(s.elem(), "shown[" + other + "]");
    }
    declare(s.target(), s.elem(), value);
  }

  private String fromBits(PrimType t, String bits) {
    return switch (t) {
      case F16, F32, F64 -> {
        String integer = t == PrimType.F16 ? "i16" : t == PrimType.F32 ? "i32" : "i64";
        yield library.use("from_bits_" + t) + "((" + integer + ") " + bits + ")";
      }
      case BOOL -> "(" + bits + " != 0)";
      case I8, I16, I32, I64, UNIT -> "((" + KernelTypes.scalar(t) + ") " + bits + ")";
    };
  }

  private Dialect.Element element(Name block, PrimType type, Poly index) {
    return new Dialect.Element(memory(block), type, name(block), exprs.offset(index));
  }

  /**
   * Prints the statement by which a thread block ends if one of its threads has failed. If no
   * thread can have failed, only the barrier is printed.
   */
  private void leave() {
    if (inFunction) {
      throw new IllegalStateException("a function of kernels has a barrier");
    }
    if (!canFail) {
      out.line(library.use("sync") + "();");
      return;
    }
    String leave = dialect.leaveIfAny("failed");
    if (leave != null) {
      out.line(leave);
      return;
    }
    showsFailure = true;
    out.line("if (failed) block_failed = 1;");
    out.line(library.use("sync") + "();");
    out.open("{");
    out.line("const bool leaving = block_failed != 0;");
    out.line("sync();");
    out.line("if (leaving) return;");
    out.close("}");
  }
}
