package futharkc.core.driver;

import futharkc.core.codegen.Backend;
import futharkc.core.driver.embed.LoadedProgram;
import futharkc.core.driver.pipeline.DeepStack;
import futharkc.core.driver.pipeline.IrText;
import futharkc.core.driver.pipeline.PassRemark;
import futharkc.core.driver.pipeline.Timings;
import futharkc.core.driver.plan.Plan;
import futharkc.core.driver.plugin.Registry;
import futharkc.core.ir.Program;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.language.Diagnostic;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.DeviceProgram;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A compiled program: what the passes have made of it, and what the backend makes of that. */
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
   * The program of arrays that the last pass has left.
   *
   * @throws IllegalStateException if it has been lowered to the imperative language
   */
  public Program program() {
    return switch (ir.program()) {
      case Program p -> p;
      case ImperativeProgram p ->
          throw new IllegalStateException("the program is imperative: it is in " + p.rep());
    };
  }

  /** The program after the last pass that has run, in a form that can be printed and read back. */
  public IrText ir() {
    return ir;
  }

  /** The passes, whether or not all have run. */
  public Plan plan() {
    return plan;
  }

  /** What the front end found strange, but not wrong. */
  public List<Diagnostic> warnings() {
    return warnings;
  }

  /** What the passes have remarked. */
  public List<PassRemark> remarks() {
    return remarks;
  }

  /** How long everything took so far. */
  public Timings timings() {
    return timings;
  }

  /** Generated source, for people who want to see it. */
  public List<Backend.Source> sources() {
    return product().sources();
  }

  /**
   * Writes the program as one executable file; nothing if that fails.
   *
   * @param options of the executable, that hold in every run, before those that it is started with:
   *     {@code --server} makes one that always serves
   * @throws IOException if the file cannot be written
   */
  public void writeExecutable(Path file, String... options) throws IOException {
    product().writeExecutable(file, List.of(options));
  }

  /**
   * Opens a device for programs of this target to share: {@link #load(Device)}.
   *
   * @throws FutharkError if there is none like that, or it cannot be opened
   * @throws IllegalStateException if programs of this target do not run on devices
   */
  public Device openDevice(DeviceOptions options) {
    if (instance() instanceof DeviceProgram program) {
      return Device.open(program.api(), options);
    }
    throw notOnDevices();
  }

  /**
   * Loads the program into this JVM, to run on a device that is open. It is not closed with the
   * program. What other programs have left on it can be handed to this one.
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

  /** The program itself, without a context. */
  public FutharkProgram instance() {
    return product().load();
  }

  /**
   * Loads the program into this JVM, with the default settings. Messages of the program are
   * dropped.
   */
  public LoadedProgram load() {
    return load(new PrintStream(OutputStream.nullOutputStream()), settings -> {});
  }

  /**
   * Loads the program into this JVM.
   *
   * @param messages gets what the program traces and logs
   * @param settings amends the settings: threads, profiling, tuning parameters
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

  private synchronized Backend.Product product() {
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
                      () -> wanted.backend().compile(ir.program(), name, wanted.target())));
      product = made;
    }
    return made;
  }
}
