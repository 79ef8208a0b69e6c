package futharkc.tools.repl;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.Definition;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.CompilerException;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticRenderer;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.lower.DebugEvent;
import futharkc.core.language.lower.Lowering;
import futharkc.core.language.parser.Parser;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.ModExp;
import futharkc.core.language.syntax.SourceFile;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueDisplay;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A session: a program, definitions that inputs add to it, and evaluation of expressions in the
 * scope of all these. Local definitions of the program are in scope, too. Each evaluation computes
 * the definitions that it needs.
 */
public final class Session {
  /** The name of the definition whose value is that of an expression. */
  private static final String RESULT = "repl_result";

  private final Compiler compiler;
  private final Source program;
  private final boolean colours;
  private final List<Input> definitions = new ArrayList<>();
  private @Nullable Consumer<Stop> debugger;
  private boolean stopsAtNans;

  /** A definition that an input has added. */
  private record Input(String label, Dec dec, String text) {}

  private Session(Compiler compiler, Source program, boolean colours) {
    this.compiler = compiler;
    this.program = program;
    this.colours = colours;
  }

  /**
   * Returns a session without a program.
   *
   * @param folder the folder that imports are relative to
   * @param colours whether messages have terminal colours
   */
  public static Session empty(Compiler compiler, Path folder, boolean colours) {
    Source source = Source.ofText("<repl>.fut", "").withImports(path -> read(folder.resolve(path)));
    return new Session(compiler, source, colours);
  }

  private static @Nullable String read(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.readString(file) : null;
    } catch (IOException | InvalidPathException e) {
      return null;
    }
  }

  /**
   * Returns a session with the definitions of a program.
   *
   * @param colours whether messages have terminal colours
   * @throws IOException if the file cannot be read
   * @throws ProgramRejectedException if the program has errors
   */
  public static Session ofProgram(Compiler compiler, Path file, boolean colours)
      throws IOException {
    return ofProgram(compiler, Source.ofFile(file), colours);
  }

  /**
   * Returns a session with the definitions of a program.
   *
   * @param colours whether messages have terminal colours
   * @throws ProgramRejectedException if the program has errors
   */
  public static Session ofProgram(Compiler compiler, Source program, boolean colours) {
    Session session = new Session(compiler, program.withColours(colours), colours);
    session.warnings = Compiler.check(session.program);
    return session;
  }

  private List<Diagnostic> warnings = List.of();

  /**
   * Sets the action at breakpoints; null ignores breakpoints. Evaluation waits for the action.
   *
   * @param nans true if a NaN that an operator makes of other numbers is a breakpoint
   */
  void setDebugger(@Nullable Consumer<Stop> action, boolean nans) {
    debugger = action;
    stopsAtNans = nans;
  }

  /** Returns the warnings about the program, as text. */
  public String warnings() {
    return render(new SessionText(program.file(), program.text()), warnings);
  }

  /**
   * Parses an input as a declaration.
   *
   * @return the declaration, or empty if the input has a syntax error
   */
  static Optional<Dec> declaration(String input) {
    Diagnostics errors = new Diagnostics();
    SourceFile file = Parser.parse("input", "input.fut", input, errors);
    return errors.hasErrors() || file.decs().size() != 1
        ? Optional.empty()
        : Optional.of(file.decs().getFirst());
  }

  /**
   * Adds a declaration. A value without parameters is computed once, so that an error in it is
   * reported.
   *
   * @param label the name of the input in messages
   * @param declaration the text of the declaration
   * @param messages the stream for traces
   * @return warnings about the declaration, or an empty text
   * @throws SessionException if the program with the declaration has errors, or the value cannot be
   *     computed; the session is unchanged
   */
  public String define(String label, String declaration, PrintStream messages)
      throws SessionException {
    Dec dec =
        declaration(declaration)
            .orElseThrow(() -> new SessionException("The input is not a single declaration."));
    definitions.add(new Input(label, dec, declaration));
    boolean accepted = false;
    try {
      String name = valueName(dec);
      SessionText text = text();
      text.bind("", "def", RESULT, name == null ? "()" : name);
      Definition definition = definition(text);
      if (name != null && definition.isValue()) {
        var unused = run(definition, text, messages);
      }
      accepted = true;
      return render(
          text, definition.warnings().stream().filter(d -> text.isIn(d.loc(), label)).toList());
    } finally {
      if (!accepted) {
        definitions.removeLast();
      }
    }
  }

  /** Returns the name of a definition of a value without parameters, or null. */
  private static @Nullable String valueName(Dec dec) {
    return switch (dec) {
      case Dec.Val v -> v.params().isEmpty() ? v.name() : null;
      case Dec.Local l -> valueName(l.dec());
      case Dec.Type _, Dec.Mod _, Dec.Sig _, Dec.Open _, Dec.Import _ -> null;
    };
  }

  /**
   * Evaluates an expression.
   *
   * @param label the name of the input in messages
   * @param messages the stream for traces
   * @return the text of the value; functions are shown by their types
   * @throws SessionException if the expression has an error or an ambiguous type, or its evaluation
   *     fails or is interrupted
   */
  public String evaluate(String label, String expression, PrintStream messages)
      throws SessionException {
    SessionText text = withResult(label, "def", expression);
    Definition definition = definition(text);
    if (!definition.isFunction() && !definition.typeParameters().isEmpty()) {
      throw new SessionException(
          "Inferred type of expression: "
              + definition.type()
              + "\nThe following types are ambiguous: "
              + String.join(", ", definition.typeParameters()));
    }
    return show(label, expression, definition, text, messages);
  }

  private String show(
      String label,
      String expression,
      Definition definition,
      SessionText text,
      PrintStream messages)
      throws SessionException {
    if (definition.isValue()) {
      return ValueDisplay.plain("", run(definition, text, messages));
    }
    List<String> fields = definition.fields();
    if (definition.isFunction() || fields == null) {
      return "<" + (definition.isFunction() ? "function: " : "value: ") + definition.type() + ">";
    }
    StringBuilder shown = new StringBuilder(definition.isTuple() ? "(" : "{");
    String separator = "";
    for (String field : fields) {
      shown.append(separator).append(definition.isTuple() ? "" : field + " = ");
      String projection = "(" + expression + "\n)." + field;
      SessionText fieldText = withResult(label, "def", projection);
      shown.append(show(label, projection, definition(fieldText), fieldText, messages));
      separator = ", ";
    }
    return shown.append(definition.isTuple() ? ")" : "}").toString();
  }

  /**
   * Evaluates an expression to the value itself.
   *
   * @throws SessionException for the reasons of {@link #evaluate}, and if the expression has a type
   *     without first-order values
   */
  Value value(String label, String expression, PrintStream messages) throws SessionException {
    SessionText text = withResult(label, "def", expression);
    Definition definition = definition(text);
    if (!definition.isValue()) {
      throw new SessionException("An expression of type " + definition.type() + " has no value.");
    }
    return run(definition, text, messages);
  }

  /** Returns the type of an expression, with its size and type parameters. */
  public String type(String label, String expression) throws SessionException {
    Definition definition = definition(withResult(label, "def", expression));
    return definition.parameters().isEmpty()
        ? definition.type()
        : definition.type()
            + "\n\nPolymorphic in "
            + String.join(" ", definition.parameters())
            + ".";
  }

  /**
   * Checks a module expression.
   *
   * @return the definitions of the module with their types, or the types of a parametric module
   */
  public String moduleType(String label, String module) throws SessionException {
    SessionText text = withResult(label, "module", module);
    try {
      return Definition.moduleType(source(text), RESULT);
    } catch (ProgramRejectedException e) {
      throw rejection(text, e);
    }
  }

  /** Returns the names that the program and the inputs define. */
  List<String> names() {
    List<Dec> decs = new ArrayList<>();
    decs.addAll(Parser.parse("program", program.file(), program.text(), new Diagnostics()).decs());
    definitions.forEach(input -> decs.add(input.dec));
    List<String> names = new ArrayList<>();
    decs.forEach(dec -> collect(dec, "", names));
    return names;
  }

  private static void collect(Dec dec, String prefix, List<String> names) {
    switch (dec) {
      case Dec.Val v -> names.add(prefix + v.name());
      case Dec.Type t -> names.add(prefix + t.name());
      case Dec.Mod m -> {
        names.add(prefix + m.name());
        if (m.params().isEmpty() && m.body() instanceof ModExp.Decs s) {
          s.decs().forEach(d -> collect(d, prefix + m.name() + ".", names));
        }
      }
      case Dec.Sig s -> names.add(prefix + s.name());
      case Dec.Local l -> collect(l.dec(), prefix, names);
      case Dec.Open _, Dec.Import _ -> {}
    }
  }

  private SessionText text() {
    SessionText text = new SessionText(program.file(), program.text());
    for (Input input : definitions) {
      switch (input.dec) {
        case Dec.Local _ -> text.define(input.label, blankFirst("local", input.text));
        case Dec.Val v when v.entry() -> text.define(input.label, entryAsDef(input.text));
        case Dec.Val _, Dec.Type _, Dec.Mod _, Dec.Sig _ -> text.define(input.label, input.text);
        case Dec.Open _, Dec.Import _ -> text.declare(input.label, input.text);
      }
    }
    return text;
  }

  /** Replaces the first occurrence of a word by as many spaces. */
  private static String blankFirst(String word, String text) {
    return text.replaceFirst("\\b" + word + "\\b", " ".repeat(word.length()));
  }

  private static String entryAsDef(String text) {
    return text.replaceFirst("\\bentry\\b", "def  ");
  }

  private SessionText withResult(String label, String keyword, String body) {
    SessionText text = text();
    text.bind(label, keyword, RESULT, body);
    return text;
  }

  private Source source(SessionText text) {
    return new Source(program.file(), program.name(), text.toString(), program.imports(), colours);
  }

  private Definition definition(SessionText text) throws SessionException {
    try {
      return Definition.of(source(text), RESULT);
    } catch (ProgramRejectedException e) {
      throw rejection(text, e);
    }
  }

  private SessionException rejection(SessionText text, ProgramRejectedException e) {
    List<Diagnostic> errors =
        e.diagnostics().stream().filter(d -> d.severity() == Diagnostic.Severity.ERROR).toList();
    return new SessionException(render(text, errors));
  }

  private String render(SessionText text, List<Diagnostic> diagnostics) {
    var inputs = text.texts();
    DiagnosticRenderer renderer =
        DiagnosticRenderer.withSource(
            file -> Optional.ofNullable(inputs.getOrDefault(file, fileText(file))), colours);
    return renderer.render(diagnostics.stream().map(text::relocated).toList());
  }

  private @Nullable String fileText(String file) {
    return file.equals(program.file()) ? program.text() : program.imports().text(file);
  }

  private Value run(Definition definition, SessionText text, PrintStream messages)
      throws SessionException {
    try {
      Lowering.Debugged debugged = definition.debugged(new Lowering.Debugger(stopsAtNans));
      FutharkProgram compiled = compiler.interpreted(debugged.program(), program.name());
      try (PrintStream traces = new RelocatedLines(messages, text);
          Context context = Context.of(compiled, traces).threads(1).build()) {
        Events events = new Events(debugged.events());
        context.setEvents((operand, event) -> events.receive(operand, event, text, traces));
        for (EntryPoint entry : compiled.entryPoints()) {
          if (entry.name().equals(RESULT)) {
            return context.run(entry);
          }
        }
        throw new IllegalStateException("the program has no entry point " + RESULT);
      }
    } catch (ProgramRejectedException e) {
      throw rejection(text, e);
    } catch (CompilerException e) {
      throw new SessionException(String.valueOf(e.getMessage()));
    } catch (FutharkError e) {
      throw new SessionException("Error: " + text.relocated(e.report()));
    }
  }

  /** The events of one evaluation. */
  private final class Events {
    private final List<DebugEvent> events;
    private final List<Value> operands = new ArrayList<>();

    Events(List<DebugEvent> events) {
      this.events = events;
    }

    /** Receives an operand. The last operand of an event makes it happen. */
    void receive(Value operand, int event, SessionText text, PrintStream traces) {
      operands.add(operand);
      DebugEvent e = events.get(event);
      if (operands.size() < e.operands()) {
        return;
      }
      List<DebugEvent.Operand> values =
          operands.stream().<DebugEvent.Operand>map(v -> index -> element(v, index)).toList();
      operands.clear();
      if (e.isTrace()) {
        DebugEvent.Variable traced = e.stack().getFirst().variables().getFirst();
        traces.println(traced.display(e.trace() + ": ", values, Session::plain));
        traces.flush();
      } else if (debugger != null && (e.nan() == null || e.nan().test(values))) {
        List<Stop.Frame> frames =
            e.stack().stream()
                .map(
                    a ->
                        new Stop.Frame(
                            text.relocated(a.loc()).toString(), frame(a.variables(), values)))
                .toList();
        debugger.accept(new Stop(e.nan() != null, frames));
      }
    }
  }

  private static PrimValue element(Value operand, long index) {
    Scalar s =
        switch (operand) {
          case Scalar x -> x;
          case ArrayValue a -> a.element(index);
          case OpaqueValue o -> throw new IllegalStateException("an operand is " + o);
        };
    return switch (s.type()) {
      case I8, U8 -> PrimValue.ofInt(PrimType.I8, s.bits());
      case I16, U16 -> PrimValue.ofInt(PrimType.I16, s.bits());
      case I32, U32 -> PrimValue.ofInt(PrimType.I32, s.bits());
      case I64, U64 -> PrimValue.i64(s.bits());
      case F16 -> PrimValue.ofFloat(PrimType.F16, Float.float16ToFloat((short) s.bits()));
      case F32 -> PrimValue.ofFloat(PrimType.F32, Float.intBitsToFloat((int) s.bits()));
      case F64 -> PrimValue.ofFloat(PrimType.F64, Double.longBitsToDouble(s.bits()));
      case BOOL -> PrimValue.of(s.bits() != 0);
      case UNIT -> PrimValue.UNIT;
    };
  }

  private static Scalar scalar(futharkc.core.language.syntax.PrimType type, PrimValue value) {
    ElemType elem = ElemType.valueOf(type.name());
    long bits =
        switch (type) {
          case I8, I16, I32, I64, U8, U16, U32, U64, BOOL -> value.bits();
          case F16 -> Float.floatToFloat16((float) value.asDouble());
          case F32 -> Float.floatToIntBits((float) value.asDouble());
          case F64 -> Double.doubleToLongBits(value.asDouble());
        };
    return new Scalar(elem, bits);
  }

  private static String plain(futharkc.core.language.syntax.PrimType type, PrimValue value) {
    return ValueDisplay.plain("", scalar(type, value));
  }

  private static String literal(futharkc.core.language.syntax.PrimType type, PrimValue value) {
    return ValueDisplay.withSuffixes(scalar(type, value));
  }

  /** Returns this session with variables as definitions. Sizes come before other variables. */
  private Session frame(List<DebugEvent.Variable> variables, List<DebugEvent.Operand> values) {
    Session frame = new Session(compiler, program, colours);
    frame.definitions.addAll(definitions);
    for (boolean sizes : new boolean[] {true, false}) {
      for (DebugEvent.Variable v : variables) {
        if (v.isSize() == sizes) {
          String definition = v.definition(values, Session::literal);
          declaration(definition)
              .ifPresent(dec -> frame.definitions.add(new Input(v.name(), dec, definition)));
        }
      }
    }
    return frame;
  }
}
