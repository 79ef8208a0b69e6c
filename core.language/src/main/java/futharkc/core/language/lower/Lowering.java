package futharkc.core.language.lower;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Rep;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.typed.EntryPoint;
import futharkc.core.language.typed.Program;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

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
    AtomicReference<futharkc.core.ir.Program> result = new AtomicReference<>();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread worker =
        new Thread(
            null,
            () -> {
              try {
                result.set(run(program, options, diagnostics));
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

  private static futharkc.core.ir.Program run(
      Program program, Options options, Diagnostics diagnostics) {
    Map<String, EntryPoint> entries = new LinkedHashMap<>();
    for (EntryPoint e : program.entryPoints()) {
      entries.put(e.name(), e);
    }
    Elaborator el = new Elaborator(program, entries.keySet(), diagnostics);
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
    return new futharkc.core.ir.Program(
        Rep.SOACS, extTypes.opaques(), el.functions.constantStms(), functions);
  }
}
