package futharkc.core.driver;

import futharkc.core.codegen.Backend;
import futharkc.core.codegen.binding.BindingWriter;
import futharkc.core.codegen.product.LibraryJar;
import futharkc.core.driver.failure.CompilerException;
import futharkc.core.driver.pipeline.DeepStack;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.SourceFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The compilation of a program to a library for Java: see {@code docs/guide/libraries.md}. */
public final class LibraryCompilation {
  private final List<Compiled> compiled = new ArrayList<>();
  private final LibraryJar jar;

  /**
   * Compiles a program for several targets.
   *
   * @param options the options; their target has no effect
   * @param targets the targets, the preferred first; at least one
   * @param packageName the package of the typed class
   * @param version the version of the compiler, for the manifest
   * @throws CompilerException if the program is wrong or cannot be compiled
   * @throws IllegalArgumentException if the package has no valid name
   * @throws UnsupportedOperationException if a target makes no libraries
   */
  public LibraryCompilation(
      Compiler compiler,
      Source source,
      CompilerOptions options,
      List<String> targets,
      String packageName,
      String version) {
    LibraryJar.checkPackage(packageName);
    Map<String, Backend.Product> products = new LinkedHashMap<>();
    for (String target : targets) {
      Compiled one = compiler.compile(source, options.withTarget(target));
      compiled.add(one);
      products.put(target, one.product());
    }
    jar =
        DeepStack.call(
            () ->
                new LibraryJar(
                    packageName,
                    products,
                    documentation(source),
                    ProgramFiles.parse(source).hash(),
                    version));
  }

  private static BindingWriter.Documentation documentation(Source source) {
    SourceFile main = FrontEndCalls.parse(source).getLast();
    Map<String, String> entries = new LinkedHashMap<>();
    Map<String, String> types = new LinkedHashMap<>();
    for (Dec dec : main.decs()) {
      if (dec instanceof Dec.Val v) {
        put(v.name(), v.doc(), entries);
      } else if (dec instanceof Dec.Type t) {
        put(t.name(), t.doc(), types);
      }
    }
    String ofProgram = main.doc();
    return new BindingWriter.Documentation(ofProgram == null ? "" : ofProgram, entries, types);
  }

  private static void put(String name, @Nullable String doc, Map<String, String> docs) {
    if (doc != null) {
      docs.put(name, doc);
    }
  }

  /** Returns the compiled program for each target, in the order of the targets. */
  public List<Compiled> compiled() {
    return List.copyOf(compiled);
  }

  /** Returns the library. */
  public LibraryJar jar() {
    return jar;
  }
}
