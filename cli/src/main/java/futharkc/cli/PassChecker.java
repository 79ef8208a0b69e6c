package futharkc.cli;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.plan.Plan;
import futharkc.core.ir.Ir;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.executable.ExecutableMain;
import futharkc.core.runtime.executable.ExecutableMain.Outcome;
import futharkc.harness.testing.DataFiles;
import futharkc.harness.testing.ResultComparison;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * The option {@code --check-passes}: interprets a program after every pass on the same input and
 * compares the results.
 */
final class PassChecker {
  /** An exception for a pass that changes the program's behaviour. */
  private static final class Changed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Changed(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * The observable behaviour of a program on the input.
   *
   * @param result the printed result
   * @param said the text on standard error, such as an error message
   */
  private record Behaviour(Outcome outcome, byte[] result, String said) {
    @Override
    public String toString() {
      return switch (outcome) {
        case DONE -> new String(result, StandardCharsets.UTF_8).strip();
        case RUN_TIME_ERROR, FAILED -> said.strip();
      };
    }
  }

  private final Compiler compiler;
  private final String name;
  private final String[] arguments;
  private final byte[] input;
  private final Console console;
  private @Nullable Behaviour expected;

  private PassChecker(
      Compiler compiler, String name, String[] arguments, byte[] input, Console console) {
    this.compiler = compiler;
    this.name = name;
    this.arguments = arguments;
    this.input = input;
    this.console = console;
  }

  static int run(
      Compiler compiler,
      Source source,
      CompilerOptions options,
      ParseResult parsed,
      @Nullable List<String> inputs,
      Console console)
      throws IOException {
    byte[] input;
    try (InputStream in = RunArgs.input(inputs, console)) {
      input = in.readAllBytes();
    }
    PassChecker checker =
        new PassChecker(compiler, source.name(), RunArgs.arguments(parsed), input, console);
    Ir start =
        compiler.optimise(source, options.withPasses("none").withStopAfter(null), null).program();
    if (!checker.begins(start)) {
      return Status.FAILED;
    }
    try {
      compiler.compile(source, options.withObserver(checker::check));
    } catch (Changed e) {
      console.out().flush();
      console.err().println(e.getMessage());
      return Status.FAILED;
    }
    console.out().println("No pass changes the result.");
    return Status.OK;
  }

  /**
   * Interprets the unoptimised program, whose behaviour is the reference. Returns false if the
   * interpreter fails.
   */
  private boolean begins(Ir program) {
    Behaviour first = behaviour(program);
    if (first.outcome == Outcome.FAILED) {
      console.err().println(first);
      return false;
    }
    expected = first;
    console.out().println("At the start: " + first);
    console.out().flush();
    return true;
  }

  private void check(int index, Plan.Step step, Ir program) {
    Behaviour now = behaviour(program);
    Behaviour before = expected;
    if (before != null && !same(before, now)) {
      throw new Changed(
          "Step "
              + (index + 1)
              + ", the pass "
              + step.pass()
              + ", changes the result.\nbefore:\n"
              + before
              + "\nafter:\n"
              + now
              + "\n--print-ir-after="
              + step.pass().name()
              + " prints the result of the pass.");
    }
    console.out().println("After step " + (index + 1) + ", " + step.pass() + ": the same result.");
    console.out().flush();
  }

  private static boolean same(Behaviour a, Behaviour b) {
    if (a.outcome() != b.outcome()) {
      return false;
    }
    // A pass may change which of several run-time errors occurs first, but not whether an error
    // occurs.
    return a.outcome() != Outcome.DONE || agree(a.result(), b.result());
  }

  private static boolean agree(byte[] a, byte[] b) {
    try {
      return ResultComparison.difference(values(b), values(a)) == null;
    } catch (IOException e) {
      return Arrays.equals(a, b);
    }
  }

  private static List<Value> values(byte[] result) throws IOException {
    return DataFiles.readAll(new ByteArrayInputStream(result));
  }

  private Behaviour behaviour(Ir program) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (PrintStream errors = new PrintStream(err, false, StandardCharsets.UTF_8)) {
      Outcome outcome =
          ExecutableMain.execute(
              compiler.interpreted(program, name),
              arguments,
              new ByteArrayInputStream(input),
              out,
              errors);
      errors.flush();
      return new Behaviour(outcome, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
    }
  }
}
