package futharkc.tools.literate;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Ownership;
import futharkc.core.runtime.data.ValueWriter;
import futharkc.core.runtime.executable.ProgramOptions;
import futharkc.harness.testing.ScriptEvaluator;
import futharkc.harness.testing.ScriptException;
import futharkc.harness.testing.ScriptExp;
import futharkc.harness.testing.ScriptParser;
import futharkc.harness.testing.ScriptText;
import futharkc.harness.testing.ScriptValue;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A compiled program that evaluates FutharkScript. */
public final class ScriptRunner implements AutoCloseable {
  private final Context context;
  private final ScriptEvaluator evaluator;

  /**
   * The way to compile and run a program.
   *
   * @param compiler the options of the compiler, with the target; the target {@code interpreter}
   *     interprets the program
   * @param executable the executable to use instead of compiling the program; null for none
   * @param program the options of the program, in the syntax of an executable's command line
   * @param safe whether built-in functions must not run programs of the machine
   * @param stores whether the built-in function {@code $store} is allowed
   */
  public record Options(
      CompilerOptions compiler,
      @Nullable Path executable,
      List<String> program,
      boolean safe,
      boolean stores) {
    public Options {
      program = List.copyOf(program);
    }

    /** Returns these options with other options of the compiler. */
    Options withCompiler(CompilerOptions other) {
      return new Options(other, executable, program, safe, stores);
    }
  }

  private ScriptRunner(Context context, Path folder, Options options) {
    this.context = context;
    evaluator =
        new ScriptEvaluator(
            context,
            new Ownership(context.values()),
            folder,
            new MediaBuiltins(folder, options.safe, options.stores));
  }

  /**
   * Compiles a program, or loads an executable, and opens a context for the program.
   *
   * @param source the program; null if the options have an executable
   * @param folder the folder that file names in scripts are relative to
   * @param messages the stream for traces and reports of the program
   * @throws ScriptException if the executable cannot be loaded, or an option of the program is
   *     wrong
   * @throws futharkc.core.driver.failure.CompilerException if the program cannot be compiled
   * @throws futharkc.core.runtime.FutharkError if no device can be opened
   */
  public static ScriptRunner open(
      Compiler compiler,
      @Nullable Source source,
      Path folder,
      Options options,
      PrintStream messages)
      throws ScriptException {
    FutharkProgram program = program(compiler, source, options);
    Context.Builder builder = Context.of(program, messages);
    try {
      ProgramOptions.apply(program, options.program, builder);
    } catch (IllegalArgumentException e) {
      throw new ScriptException("Wrong option of the program: " + e.getMessage());
    }
    return new ScriptRunner(builder.build(), folder, options);
  }

  private static FutharkProgram program(Compiler compiler, @Nullable Source source, Options options)
      throws ScriptException {
    if (options.executable != null) {
      try {
        return compiler.loadExecutable(options.executable);
      } catch (IOException e) {
        throw new ScriptException(message(options.executable, e));
      }
    }
    if (source == null) {
      throw new IllegalArgumentException("there is neither a source nor an executable");
    }
    CompilerOptions how = options.compiler;
    return how.target().equals("interpreter")
        ? compiler.interpreted(compiler.optimise(source, how, null).program(), source.name())
        : compiler.compile(source, how).instance();
  }

  private static String message(Path file, IOException e) {
    return e instanceof NoSuchFileException
        ? "There is no executable " + file + ". Compile the program first."
        : String.valueOf(e.getMessage());
  }

  ScriptEvaluator evaluator() {
    return evaluator;
  }

  /**
   * Evaluates scripts and writes the value of the last script.
   *
   * @param scripts the texts of the scripts
   * @param binary whether to write the value in binary form
   * @throws ScriptException if a script is malformed or fails, or the value cannot be shown
   * @throws futharkc.core.runtime.FutharkError if a call of the program fails
   */
  public void run(List<String> scripts, boolean binary, OutputStream out)
      throws ScriptException, IOException {
    for (int i = 0; i < scripts.size(); i++) {
      ScriptExp exp = ScriptParser.parse(scripts.get(i));
      boolean last = i == scripts.size() - 1;
      byte[] shown =
          evaluator.evaluate(
              exp, value -> last && !binary ? text(value) : last ? bytes(value) : new byte[0]);
      out.write(shown);
    }
    out.flush();
  }

  private static byte[] text(ScriptValue value) throws ScriptException {
    return (ScriptText.of(value) + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  private static byte[] bytes(ScriptValue value) throws ScriptException, IOException {
    if (!(value instanceof ScriptValue.Atom(var v, boolean _))
        || v instanceof futharkc.core.runtime.OpaqueValue) {
      throw new ScriptException("a value of type " + value.typeName() + " has no binary form");
    }
    var bytes = new java.io.ByteArrayOutputStream();
    ValueWriter writer = new ValueWriter(bytes);
    writer.binary(v);
    writer.flush();
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    context.close();
  }
}
