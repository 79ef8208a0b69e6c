package futharkc.core.codegen;

import futharkc.core.ir.Ir;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.runtime.FutharkProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A stateless code generator for one or several targets. */
public interface Backend {
  /**
   * Returns the values of {@code --target} that the backend compiles for, each with the
   * representation that it needs: {@code multicore} needs MC_IMP, {@code c} needs SEQ_IMP.
   */
  List<Target> targets();

  /** Returns the {@link Pass#API_LEVEL} that the backend was built for. */
  int apiLevel();

  /**
   * Compiles a program in the target's representation.
   *
   * @param name the name of the program, as shown to users
   */
  Product compile(Ir program, String name, Target target);

  /**
   * A value of {@code --target}.
   *
   * @param name the value, as users write it
   * @param rep the representation of programs for the target
   * @param machine the machine that passes and printers read
   */
  record Target(String name, Rep rep, String description, Machine machine) {}

  /** A compiled program. */
  interface Product {
    /** Returns the generated source files, as shown to users who ask for them. */
    List<Source> sources();

    /**
     * Writes the executable file. If writing fails, no file is left behind.
     *
     * @param options command-line options that hold in every run, such as {@code --server}; they
     *     precede the options of the run
     * @throws IOException if the file cannot be written
     */
    void writeExecutable(Path file, List<String> options) throws IOException;

    /** Loads the program into this JVM. */
    FutharkProgram load();

    /**
     * Returns the files of the program for a library.
     *
     * @param packageName the package of the program's classes
     * @throws UnsupportedOperationException if the target makes no libraries
     */
    default ProgramClasses classes(String packageName) {
      throw new UnsupportedOperationException("the target makes no libraries");
    }
  }

  /**
   * The files of a program in a library.
   *
   * @param program the name of the program class, which has a constructor without parameters
   * @param files the class files and other files, by path
   */
  record ProgramClasses(String program, Map<String, byte[]> files) {
    public ProgramClasses {
      files = Map.copyOf(files);
    }
  }

  /** A file of generated source. */
  record Source(String fileName, String text) {}
}
