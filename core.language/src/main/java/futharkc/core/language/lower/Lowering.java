package futharkc.core.language.lower;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Rep;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.typed.EntryPoint;
import futharkc.core.language.typed.Program;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The lowering of the checked tree to the SOACS representation. */
public final class Lowering {
  /** The stack size in bytes. It suffices for a chain of tens of thousands of applications. */
  private static final long STACK_BYTES = 512L << 20;

  private Lowering() {}

  /**
   * The options of the lowering.
   *
   * @param honourUnsafe whether {@code #[unsafe]} removes checks
   */
  public record Options(boolean honourUnsafe) {
    public static final Options DEFAULT = new Options(true);
  }

  /**
   * Lowers a program with the default options and drops the warnings, see {@link #lower(Program,
   * Options, Diagnostics)}.
   */
  public static futharkc.core.ir.Program lower(Program program) {
    return lower(program, Options.DEFAULT, new Diagnostics());
  }

  /**
   * Lowers the entry points and the functions and constants that they need.
   *
   * @param diagnostics the collector of warnings that the program requests
   * @throws LoweringException if the program exceeds a limit of the compiler
   * @throws IllegalStateException if the program is not a checked program
   */
  public static futharkc.core.ir.Program lower(
      Program program, Options options, Diagnostics diagnostics) {
    return onDeepStack(() -> run(program, options, diagnostics, null)).program();
  }

  private static Debugged onDeepStack(Supplier<Debugged> lowering) {
    AtomicReference<Debugged> result = new AtomicReference<>();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread worker =
        new Thread(
            null,
            () -> {
              try {
                result.set(lowering.get());
              } catch (Throwable t) {
                failure.set(t);
              }
            },
            "lowering",
            STACK_BYTES);
    worker.setDaemon(true);
    worker.start();
    try {
      worker.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while lowering", e);
    }
    switch (failure.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable t -> throw new IllegalStateException(t);
    }
    return Objects.requireNonNull(result.get());
  }

  /**
   * The events for a debugger.
   *
   * @param nans true for an event at each operator on floats, so that the debugger finds new NaNs
   */
  public record Debugger(boolean nans) {}

  /**
   * A program for a debugger.
   *
   * @param events the events, by their numbers
   */
  public record Debugged(futharkc.core.ir.Program program, List<DebugEvent> events) {
    public Debugged {
      events = List.copyOf(events);
    }
  }

  /**
   * Lowers a program for a debugger, without warnings. Functions with breakpoints are inlined, so
   * that the callers of each breakpoint are known.
   *
   * @throws LoweringException if the program exceeds a limit of the compiler
   */
  public static Debugged debugged(Program program, Debugger debugger) {
    return onDeepStack(() -> run(program, Options.DEFAULT, new Diagnostics(), debugger));
  }

  private static Debugged run(
      Program program, Options options, Diagnostics diagnostics, @Nullable Debugger debugger) {
    Map<String, EntryPoint> entries = new LinkedHashMap<>();
    for (EntryPoint e : program.entryPoints()) {
      entries.put(e.name(), e);
    }
    Elaborator el = new Elaborator(program, entries.keySet(), diagnostics, debugger);
    el.functions.setHonoursUnsafe(options.honourUnsafe());
    ExtTypes extTypes = new ExtTypes(el, program.types());
    for (EntryPoint e : entries.values()) {
      Frame f = new Frame(null);
      e.params().forEach(p -> extTypes.declare(p.type(), p.typeText(), f));
      extTypes.declare(Entries.resultType(e.def(), e.params().size()), e.resultText(), f);
    }
    Entries maker = new Entries(el, extTypes);
    Map<String, FunDef> functions = new LinkedHashMap<>();
    for (EntryPoint e : entries.values()) {
      functions.put(e.name(), maker.function(e));
    }
    functions.putAll(el.functions.functions());
    int next = el.emit.names.next();
    functions.replaceAll((name, f) -> f.withBody(f.body(), next));
    return new Debugged(
        new futharkc.core.ir.Program(
            Rep.SOACS, extTypes.opaques(), el.functions.constantStms(), functions),
        el.debugging == null ? List.of() : el.debugging.events());
  }
}
