package futharkc.backend.interpreter;

import futharkc.core.codegen.Backend;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.PassException;
import futharkc.core.ir.text.Printer;
import futharkc.core.runtime.FutharkProgram;
import java.nio.file.Path;
import java.util.List;

/**
 * The interpreter as a target. It takes programs of every representation; one target asks for none
 * in particular, the others for what programs look like on the way to code.
 */
public final class InterpreterBackend implements Backend {
  /** For the service loader. */
  public InterpreterBackend() {}

  @Override
  public List<Target> targets() {
    return List.of(
        new Target("interpreter", Rep.SOACS, "evaluates the program as the front end makes it"),
        new Target("interpreter-multicore", Rep.MC_IMP, "evaluates what multicore is printed from"),
        new Target("interpret-gpu", Rep.GPU, "evaluates the program as it would run on a GPU"),
        new Target(
            "interpret-gpu-mem",
            Rep.GPU_MEM,
            "evaluates such a program that says where arrays are"),
        new Target(
            "interpreter-gpu", Rep.GPU_IMP, "evaluates what CUDA and OpenCL are printed from"));
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
      public void writeExecutable(Path file, List<String> options) {
        throw new PassException(
            Loc.NONE,
            "the interpreter makes no executables: run the program with 'futharkc run', or choose"
                + " another target");
      }

      @Override
      public FutharkProgram load() {
        return new InterpretedProgram(program, name);
      }
    };
  }
}
