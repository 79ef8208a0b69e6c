package futharkc.core.driver;

import futharkc.core.codegen.Backend;
import futharkc.core.driver.failure.CompilerBugException;
import futharkc.core.driver.failure.CompilerException;
import futharkc.core.driver.pipeline.DeepStack;
import futharkc.core.driver.pipeline.IrText;
import futharkc.core.driver.pipeline.PassRemark;
import futharkc.core.driver.pipeline.Timings;
import futharkc.core.driver.plan.Plan;
import futharkc.core.driver.plugin.Registry;
import futharkc.core.ir.Program;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.PassException;
import futharkc.core.language.Diagnostic;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.DeviceProgram;
import futharkc.core.runtime.embed.LoadedProgram;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A compiled program: the result of the passes, with access to the backend's products. */
public final class Compiled {
  private final String name;
  private final IrText ir;
  private final Plan plan;
  private final List<Diagnostic> warnings;
  private final List<PassRemark> remarks;
  private final Timings timings;
  private final Registry.@Nullable RegisteredTarget target;
  private Backend.@Nullable Product product;

  Compiled(
      String name,
      IrText ir,
      Plan plan,
      List<Diagnostic> warnings,
      List<PassRemark> remarks,
      Timings timings,
      Registry.@Nullable RegisteredTarget target) {
    this.name = name;
    this.ir = ir;
    this.plan = plan;
    this.warnings = List.copyOf(warnings);
    this.remarks = List.copyOf(remarks);
    this.timings = timings;
    this.target = target;
  }

  /**
   * Returns the array program that the last pass produced.
   *
   * @throws IllegalStateException if a pass has lowered the program to the imperative language
   */
  public Program program() {
    return switch (ir.program()) {
      case Program p -> p;
      case ImperativeProgram p ->
          throw new IllegalStateException(
              "the program is not an array program: its representation is the imperative "
                  + p.rep());
    };
  }

  /**
   * Returns the program after the last executed pass, in a printable form that {@link IrText#parse}
   * reads back.
   */
  public IrText ir() {
    return ir;
  }

  /**
   * Returns the plan. It also contains the passes after {@link CompilerOptions#stopAfter}, which
   * have not run.
   */
  public Plan plan() {
    return plan;
  }

  /** Returns the warnings of the front end. */
  public List<Diagnostic> warnings() {
    return warnings;
  }

  /** Returns the remarks of the passes. */
  public List<PassRemark> remarks() {
    return remarks;
  }

  /** Returns the times of all stages so far. */
  public Timings timings() {
    return timings;
  }

  /** Returns the source text that the backend generates, for display. */
  public List<Backend.Source> sources() {
    Backend.Product made = product();
    return guarded(made::sources);
  }

  /**
   * Writes the program as one executable file. A failed call leaves no file.
   *
   * @param options options of the executable that hold in every run, before the options of its
   *     command line: {@code --server} makes an executable that always serves commands
   * @throws IOException if the file cannot be written
   */
  public void writeExecutable(Path file, String... options) throws IOException {
    Backend.Product made = product();
    List<String> all = List.of(options);
    guarded(
        () -> {
          made.writeExecutable(file, all);
          return file;
        });
  }

  /**
   * Opens a device that several programs of this target can share, see {@link #load(Device)}.
   *
   * @throws FutharkError if no device matches the options, or the device cannot be opened
   * @throws IllegalStateException if programs of this target do not run on devices
   */
  public Device openDevice(DeviceOptions options) {
    if (instance() instanceof DeviceProgram program) {
      return Device.open(program.api(), options);
    }
    throw notOnDevices();
  }

  /**
   * Loads the program into this JVM, to run on an open device. Closing the program leaves the
   * device open. The program accepts values that other programs have left on the same device.
   *
   * @throws IllegalStateException if programs of this target do not run on devices
   */
  public LoadedProgram load(Device device) {
    FutharkProgram program = instance();
    if (!(program instanceof DeviceProgram)) {
      throw notOnDevices();
    }
    return load(
        program,
        new PrintStream(OutputStream.nullOutputStream()),
        settings -> settings.accelerator(device));
  }

  private static IllegalStateException notOnDevices() {
    return new IllegalStateException("programs of this target do not run on devices");
  }

  /** Returns the program without a context. */
  public FutharkProgram instance() {
    Backend.Product made = product();
    return guarded(made::load);
  }

  /**
   * Loads the program into this JVM with the default settings. The messages of the program are
   * dropped.
   */
  public LoadedProgram load() {
    return load(new PrintStream(OutputStream.nullOutputStream()), settings -> {});
  }

  /**
   * Loads the program into this JVM.
   *
   * @param messages the stream for the program's traces and logs
   * @param settings a function that amends the settings: threads, profiling, tuning parameters
   */
  public LoadedProgram load(PrintStream messages, Consumer<Context.Builder> settings) {
    return load(instance(), messages, settings);
  }

  private static LoadedProgram load(
      FutharkProgram program, PrintStream messages, Consumer<Context.Builder> settings) {
    Context.Builder builder = Context.of(program, messages);
    settings.accept(builder);
    return new LoadedProgram(program, builder.build());
  }

  /**
   * Calls the backend.
   *
   * @throws CompilerBugException if the backend fails; the message names the target and the module
   *     of the backend
   */
  private <T, X extends Exception> T guarded(BackendCall<T, X> call) throws X {
    try {
      T result = call.run();
      return Objects.requireNonNull(result, "the backend returned null");
    } catch (FutharkError | CompilerException | PassException | OutOfMemoryError e) {
      throw e;
    } catch (RuntimeException | Error e) {
      Registry.RegisteredTarget failed = Objects.requireNonNull(target);
      throw new CompilerBugException(
          "The backend of the target "
              + failed.target().name()
              + ", from "
              + failed.origin()
              + ", failed: "
              + CompilerBugException.describe(e),
          e,
          null);
    }
  }

  /** A call of a backend. */
  @FunctionalInterface
  private interface BackendCall<T, X extends Exception> {
    T run() throws X;
  }

  /** Returns the product of the backend, which the first call makes. */
  synchronized Backend.Product product() {
    Backend.Product made = product;
    if (made == null) {
      Registry.RegisteredTarget wanted = target;
      if (wanted == null) {
        throw new IllegalStateException(
            "the program has not been compiled to the end: it is in " + ir.program().rep());
      }
      made =
          DeepStack.call(
              () ->
                  timings.measure(
                      wanted.target().name(),
                      Timings.Kind.BACKEND,
                      () ->
                          guarded(
                              () ->
                                  wanted.backend().compile(ir.program(), name, wanted.target()))));
      product = made;
    }
    return made;
  }
}
