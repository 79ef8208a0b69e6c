package futharkc.backend.multicore;

import futharkc.core.codegen.Backend;
import futharkc.core.codegen.java.JavaEmitter;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.runtime.FutharkProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Multicore CPUs, and a single thread: Java source, compiled by the JDK's compiler in this process.
 * A product is a set of class files, which is loaded here or packed into an executable file with
 * the run-time library.
 */
public final class MulticoreBackend implements Backend {
  /** For {@code ServiceLoader}. */
  public MulticoreBackend() {}

  @Override
  public List<Target> targets() {
    return List.of(
        new Target("multicore", Rep.MC_IMP, "Java with parallel streams on all CPU cores"),
        new Target(
            "c",
            Rep.SEQ_IMP,
            "Java on one thread (the name is the one that Futhark's tools expect)"));
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public Product compile(Ir program, String name, Target target) {
    if (!(program instanceof ImperativeProgram imp)) {
      throw new IllegalArgumentException(
          "the target is for imperative programs, not " + program.rep());
    }
    String source = JavaEmitter.emit(imp, name, target.name());
    return new Compiled(source);
  }

  /** A program whose classes are made when they are needed. */
  private static final class Compiled implements Product {
    private static final String MAIN = JavaEmitter.PACKAGE + ".FutharkExecutable";

    private final String source;

    Compiled(String source) {
      this.source = source;
    }

    @Override
    public List<Source> sources() {
      return List.of(new Source(JavaEmitter.PROGRAM + ".java", source));
    }

    @Override
    public void writeExecutable(Path file, List<String> options) throws IOException {
      String main =
          source
              + "final class FutharkExecutable {\n"
              + "  public static void main(String[] args) {\n"
              + "    futharkc.core.runtime.executable.ExecutableMain.main(new FutharkMain(),"
              + " args);\n"
              + "  }\n"
              + "}\n";
      Executable.write(file, JavaCompilation.compile(main), MAIN, options);
    }

    @Override
    public FutharkProgram load() {
      Map<String, byte[]> classes = JavaCompilation.compile(source);
      return GeneratedLoader.load(classes, JavaEmitter.PACKAGE + "." + JavaEmitter.PROGRAM);
    }
  }
}
