package futharkc.backend.interpreter;

import futharkc.core.codegen.Backend;
import futharkc.core.codegen.java.HotSpot;
import futharkc.core.codegen.kernel.WarpDevice;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Rep;
import futharkc.core.ir.text.Printer;
import futharkc.core.runtime.FutharkProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The interpreter as a target. One target runs programs of every representation directly; the other
 * targets run a program in an intermediate representation of a pipeline.
 */
public final class InterpreterBackend implements Backend {
  /** Creates the backend; used by the service loader. */
  public InterpreterBackend() {}

  @Override
  public List<Target> targets() {
    Machine machine = HotSpot.machine().with(WarpDevice.of(false, false));
    return List.of(
        new Target("interpreter", Rep.SOACS, "evaluates the program after the front end", machine),
        new Target(
            "interpreter-multicore",
            Rep.MC_IMP,
            "evaluates the imperative program of the multicore target",
            machine),
        new Target("interpret-gpu", Rep.GPU, "evaluates the program with GPU kernels", machine),
        new Target(
            "interpret-gpu-mem",
            Rep.GPU_MEM,
            "evaluates the program with GPU kernels and memory annotations",
            machine),
        new Target(
            "interpreter-gpu",
            Rep.GPU_IMP,
            "evaluates the imperative program of the CUDA and OpenCL targets",
            machine));
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public Product compile(Ir program, String name, Target target) {
    return new Product() {
      @Override
      public List<Source> sources() {
        return List.of(
            new Source(
                name + (program.rep().isImperative() ? ".imp" : ".fir"), Printer.print(program)));
      }

      @Override
      public void writeExecutable(Path file, List<String> options) throws IOException {
        throw new IOException(
            "The target "
                + target.name()
                + " makes no executables. Give inputs after -- to run the program at once, without"
                + " -o, or choose another target.");
      }

      @Override
      public FutharkProgram load() {
        return new InterpretedProgram(program, name);
      }
    };
  }
}
