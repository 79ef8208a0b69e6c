package futharkc.core.codegen;

import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.runtime.FutharkProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Generates code for a target. Has no state. */
public interface Backend {
  /**
   * What {@code --target} says, each with the representation it needs: {@code multicore} from
   * MC_IMP, {@code c} from SEQ_IMP.
   */
  List<Target> targets();

  /** The {@link Pass#API_LEVEL} that the backend was built for. */
  int apiLevel();

  /**
   * Compiles a program in the target's representation.
   *
   * @param name of the program, as shown to users
   */
  Product compile(Ir program, String name, Target target);

  /**
   * A target.
   *
   * @param machine what passes are told of the machine
   */
  record Target(String name, Rep rep, String description, futharkc.core.ir.Target machine) {
    /** One whose machine is a processor. */
    public Target(String name, Rep rep, String description) {
      this(name, rep, description, futharkc.core.ir.Target.CPU);
    }
  }

  /** A compiled program. */
  interface Product {
    /** The generated source, by file name, as shown to users who ask for it. */
    List<Source> sources();

    /**
     * Writes the one executable file; writes nothing if it fails.
     *
     * @param options of the executable, that hold in every run, such as {@code --server}; they
     *     stand before those that it is started with
     * @throws IOException if the file cannot be written
     */
    void writeExecutable(Path file, List<String> options) throws IOException;

    /** Loads the program into this JVM. */
    FutharkProgram load();
  }

  /** A file of generated source. */
  record Source(String fileName, String text) {}
}
