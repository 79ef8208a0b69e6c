package futharkc.tools.literate;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.ProgramFiles;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.CompilerException;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.parser.Parser;
import futharkc.core.language.syntax.Dec;
import futharkc.core.runtime.FutharkError;
import futharkc.harness.testing.ScriptEvaluator;
import futharkc.harness.testing.ScriptException;
import futharkc.harness.testing.ScriptExp;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A page in Markdown that is made of a program: its comments, its code, and the values of the
 * expressions in its directives.
 */
public final class LiteratePage {
  private static final int HASH_BYTES = 16;

  private final Compiler compiler;
  private final Settings settings;

  /**
   * The settings of a page.
   *
   * @param program the program
   * @param output the page to write; its files are in a folder beside the program
   * @param script the way to compile and run the program
   * @param stopsOnError whether a directive that fails prevents the page
   * @param log the stream for messages about failures, and about directives if {@code verbose}
   * @param verbose whether to log each directive, and traces of the program
   */
  public record Settings(
      Path program,
      Path output,
      ScriptRunner.Options script,
      boolean stopsOnError,
      PrintStream log,
      boolean verbose) {}

  /** Creates a page. */
  public LiteratePage(Compiler compiler, Settings settings) {
    this.compiler = compiler;
    this.settings = settings;
  }

  /** Returns the page of a program that has no output yet: its name with another extension. */
  public static Path defaultOutput(Path program) {
    return program.resolveSibling(baseName(program) + ".md");
  }

  private static String baseName(Path file) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? name : name.substring(0, dot);
  }

  /** Returns the folder of the page's files. */
  Path filesFolder() {
    Path folder = folder();
    return folder.resolve(baseName(settings.output) + "-img");
  }

  private Path folder() {
    Path parent = settings.program.getParent();
    return parent == null ? Path.of("") : parent;
  }

  /** Returns the files of the program, on which the page depends. */
  List<Path> sources() throws IOException {
    try {
      return ProgramFiles.parse(Source.ofFile(settings.program)).paths().stream()
          .map(Path::of)
          .toList();
    } catch (CompilerException e) {
      return List.of(settings.program);
    }
  }

  /**
   * Writes the page.
   *
   * @return true if all directives succeeded
   * @throws LiterateException if a directive is malformed, or fails and prevents the page
   * @throws CompilerException if the program cannot be compiled
   * @throws IOException if a file cannot be read or written
   */
  public boolean write() throws IOException, LiterateException {
    Source source = Source.ofFile(settings.program);
    List<LiterateBlock> blocks = LiterateParser.parse(source.file(), source.text());
    String hash = ProgramFiles.parse(source).hash();
    PageFiles files = new PageFiles(filesFolder());
    List<String> texts = new ArrayList<>();
    boolean succeeded = true;
    try (LazyRunner runner = new LazyRunner(source, entryPoints(source, blocks))) {
      for (LiterateBlock block : blocks) {
        switch (block) {
          case LiterateBlock.Code(String code) ->
              texts.add(code.isEmpty() ? "" : "```futhark\n" + code + "```\n");
          case LiterateBlock.Prose(String prose) -> texts.add(prose);
          case LiterateBlock.Evaluation(Directive directive, String text) -> {
            String value = value(directive, text, hash, files, runner);
            succeeded &= value != null;
            texts.add(
                prompt(directive, text) + "\n" + (value == null ? failure(runner.failure) : value));
          }
        }
      }
    }
    files.deleteUnused();
    Files.writeString(settings.output, String.join("\n", texts));
    return succeeded;
  }

  private static String prompt(Directive directive, String text) {
    return switch (directive.prompt()) {
      case FULL -> "```\n" + text + "```\n";
      case BRIEF -> "```\n" + directive.brief() + "\n```\n";
      case COVERT -> "";
    };
  }

  private static String failure(String message) {
    return "**FAILED**\n```\n" + message + "\n```\n";
  }

  /** Returns the Markdown with the value of a directive, or null if the directive fails. */
  private @Nullable String value(
      Directive directive, String text, String hash, PageFiles files, LazyRunner runner)
      throws IOException, LiterateException {
    if (settings.verbose) {
      settings.log.println("Processing " + directive.brief() + " ...");
    }
    try {
      return new DirectiveOutput(
              directive, hash(hash + text), files, runner::evaluator, settings.script.safe())
          .markdown();
    } catch (ScriptException e) {
      runner.failure = String.valueOf(e.getMessage());
    } catch (FutharkError e) {
      runner.failure = "Error: " + e.report();
    }
    settings.log.println(directive.brief() + " failed:\n" + runner.failure);
    if (settings.stopsOnError) {
      throw new LiterateException("A directive failed, so that no page is written.");
    }
    return null;
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** Returns the functions of the program in directives that are no entry points already. */
  private static List<String> entryPoints(Source source, List<LiterateBlock> blocks) {
    Set<String> called = new TreeSet<>();
    for (LiterateBlock block : blocks) {
      if (block instanceof LiterateBlock.Evaluation e) {
        collect(e.directive().expression(), called);
      }
    }
    Set<String> defined = new HashSet<>();
    for (Dec dec :
        Parser.parse(source.name(), source.file(), source.text(), new Diagnostics()).decs()) {
      Dec inner = dec instanceof Dec.Local l ? l.dec() : dec;
      if (inner instanceof Dec.Val v && !v.entry()) {
        defined.add(v.name());
      }
    }
    called.retainAll(defined);
    return List.copyOf(called);
  }

  private static void collect(ScriptExp exp, Set<String> names) {
    switch (exp) {
      case ScriptExp.Call c -> {
        names.add(c.name());
        c.args().forEach(e -> collect(e, names));
      }
      case ScriptExp.Constant _, ScriptExp.Text _ -> {}
      case ScriptExp.Tuple t -> t.components().forEach(e -> collect(e, names));
      case ScriptExp.Record r -> r.fields().values().forEach(e -> collect(e, names));
      case ScriptExp.Project p -> collect(p.record(), names);
      case ScriptExp.Index i -> {
        collect(i.array(), names);
        i.indices().forEach(e -> collect(e, names));
      }
      case ScriptExp.Let l -> {
        collect(l.value(), names);
        collect(l.body(), names);
      }
    }
  }

  /** The program, which is compiled when the first directive needs it. */
  private final class LazyRunner implements AutoCloseable {
    private final Source source;
    private final List<String> entryPoints;
    private @Nullable ScriptRunner runner;
    private String failure = "";

    LazyRunner(Source source, List<String> entryPoints) {
      this.source = source;
      this.entryPoints = entryPoints;
    }

    /**
     * Returns the evaluator of the program.
     *
     * @throws FutharkError if the program cannot be loaded
     */
    ScriptEvaluator evaluator() {
      ScriptRunner open = runner;
      if (open == null) {
        ScriptRunner.Options how = settings.script;
        try {
          open =
              ScriptRunner.open(
                  compiler,
                  source,
                  folder(),
                  how.withCompiler(how.compiler().withEntryPoints(entryPoints)),
                  settings.verbose
                      ? settings.log
                      : new PrintStream(
                          java.io.OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        } catch (ScriptException e) {
          throw new FutharkError(String.valueOf(e.getMessage()));
        }
        runner = open;
      }
      return open.evaluator();
    }

    @Override
    public void close() {
      if (runner != null) {
        runner.close();
      }
    }
  }
}
