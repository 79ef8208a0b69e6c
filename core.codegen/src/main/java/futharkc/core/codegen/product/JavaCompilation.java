package futharkc.core.codegen.product;

import futharkc.core.codegen.java.JavaEmitter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** A compilation of Java source to class files in memory. */
final class JavaCompilation {
  /** The stack size of a compiler thread. Only the used part takes memory. */
  private static final long STACK_BYTES = 512L << 20;

  /** The number of characters from which on a second compiler thread pays off. */
  private static final int LARGE = 200_000;

  private JavaCompilation() {}

  /**
   * Compiles a compilation unit; a large unit is divided into two that are compiled concurrently.
   *
   * @param libraries the libraries that the unit uses
   * @return the class files by class name
   * @throws IllegalStateException if there is no compiler, or the source is wrong, which is a bug
   *     of the code generator
   */
  static Map<String, byte[]> compile(String source, List<Library> libraries) {
    if (source.length() < LARGE || Runtime.getRuntime().availableProcessors() < 2) {
      return run(source, libraries);
    }
    Map<String, byte[]> classes = new HashMap<>();
    List<CompilationUnitDivision.Part> parts = CompilationUnitDivision.inTwo(source);
    List<FutureTask<Map<String, byte[]>>> made = new ArrayList<>();
    for (CompilationUnitDivision.Part part : parts) {
      made.add(begin(() -> run(part.source(), libraries)));
    }
    for (int i = 0; i < parts.size(); i++) {
      CompilationUnitDivision.Part part = parts.get(i);
      result(made.get(i))
          .forEach(
              (name, code) -> {
                if (parts.size() == 1 || part.makes(name)) {
                  classes.put(name, code);
                }
              });
    }
    return classes;
  }

  /** Compiles a compilation unit as a whole. */
  static Map<String, byte[]> run(String source, List<Library> libraries) {
    String path = JavaEmitter.PACKAGE.replace('.', '/') + "/" + JavaEmitter.PROGRAM + ".java";
    return compile(Map.of(path, source), libraries, "-g:none");
  }

  /**
   * Compiles compilation units together.
   *
   * @param sources the units, by path
   * @param libraries the libraries that the units use
   * @param options further options of the compiler
   * @return the class files by class name
   */
  static Map<String, byte[]> compile(
      Map<String, String> sources, List<Library> libraries, String... options) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IllegalStateException("this Java has no compiler: a JDK is needed, not a JRE");
    }
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    try (StandardJavaFileManager standard =
            compiler.getStandardFileManager(diagnostics, Locale.ROOT, StandardCharsets.UTF_8);
        Memory files = new Memory(standard)) {
      standard.setLocationFromPaths(
          StandardLocation.CLASS_PATH, libraries.stream().map(Library::location).toList());
      List<String> all =
          new ArrayList<>(
              List.of(
                  "-proc:none", "-XDuseUnsharedTable", "-nowarn", "-Xlint:none", "-implicit:none"));
      all.addAll(List.of(options));
      if (sources.values().stream().anyMatch(JavaEmitter::usesVectors)) {
        all.addAll(List.of("--add-modules", "jdk.incubator.vector"));
      }
      List<Text> units =
          sources.entrySet().stream().map(u -> new Text(u.getKey(), u.getValue())).toList();
      boolean good = result(begin(compiler.getTask(null, files, diagnostics, all, null, units)));
      if (!good) {
        throw new IllegalStateException(message(diagnostics));
      }
      Map<String, byte[]> classes = new HashMap<>();
      files.outputs.forEach((name, out) -> classes.put(name, out.toByteArray()));
      return classes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts a thread with a large stack, because the Java compiler recurs over the nesting of its
   * source.
   */
  private static <T> FutureTask<T> begin(Callable<T> task) {
    FutureTask<T> result = new FutureTask<>(task);
    Thread thread = new Thread(null, result, "Java compiler", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  private static <T> T result(FutureTask<T> task) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IllegalStateException known
          ? known
          : new IllegalStateException("generated Java does not compile", e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static String message(DiagnosticCollector<JavaFileObject> diagnostics) {
    StringBuilder s = new StringBuilder("generated Java does not compile:");
    int shown = 0;
    for (Diagnostic<? extends JavaFileObject> d : diagnostics.getDiagnostics()) {
      if (d.getKind() != Diagnostic.Kind.ERROR || shown++ == 5) {
        continue;
      }
      int line = (int) d.getLineNumber();
      String[] lines = d.getSource() instanceof Text t ? t.text.split("\n", -1) : new String[0];
      s.append("\n  line ").append(line).append(": ").append(d.getMessage(Locale.ROOT));
      if (line >= 1 && line <= lines.length) {
        s.append("\n    ").append(lines[line - 1].strip());
      }
    }
    return s.toString();
  }

  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(String path, String text) {
      super(URI.create("string:///" + path), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** A file manager that keeps class files in memory. */
  private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
    final Map<String, ByteArrayOutputStream> outputs = new HashMap<>();

    Memory(JavaFileManager standard) {
      super(standard);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(
          URI.create("memory:///" + className.replace('.', '/') + ".class"), kind) {
        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          outputs.put(className, out);
          return out;
        }
      };
    }
  }
}
