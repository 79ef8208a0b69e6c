package futharkc.cli;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.plan.PassCatalogue;
import futharkc.core.driver.plan.Plan;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Property;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc passes}. */
final class PassesCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Prints the sequence of passes of a compilation, with the reason for each pass.");
    spec.addOption(Args.value("NAME", "The target (default: multicore).", "--target"));
    CompilerArgs.describePasses(spec);
    spec.addOption(
        Args.flag(
            "Also print the properties after each pass, and the skipped passes.", "--explain"));
    spec.addOption(Args.flag("List all passes with their options instead.", "--list"));
    spec.addOption(
        Args.flag("Print the reference of all passes as Markdown instead.", "--markdown"));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console) {
    Compiler compiler = CompilerArgs.compiler(parsed, console);
    PassCatalogue catalogue = new PassCatalogue(compiler.registry());
    if (Args.has(parsed, "--markdown")) {
      console.out().print(catalogue.markdown());
      return Status.OK;
    }
    if (Args.has(parsed, "--list")) {
      console.out().print(catalogue.text());
      return Status.OK;
    }
    CompilerOptions options =
        CompilerArgs.withPasses(CompilerOptions.DEFAULT, parsed)
            .withTarget(Args.get(parsed, "--target", "multicore"));
    print(compiler.plan(options), Args.has(parsed, "--explain"), console);
    return Status.OK;
  }

  private static void print(Plan plan, boolean explain, Console console) {
    int names = plan.steps().stream().mapToInt(s -> s.pass().toString().length()).max().orElse(0);
    for (int i = 0; i < plan.steps().size(); i++) {
      Plan.Step step = plan.steps().get(i);
      Rep before = step.before().rep();
      Rep after = step.after().rep();
      String reps = before == after ? before.toString() : before + " to " + after;
      console
          .out()
          .printf("%3d  %-" + names + "s  %-17s  %s%n", i + 1, step.pass(), reps, step.reason());
      if (explain) {
        console.out().println("       properties: " + properties(step));
      }
    }
    if (explain) {
      plan.notes().forEach(n -> console.out().println("Note: " + n));
    }
    console.out().println("\n--plan=" + plan.text());
  }

  private static String properties(Plan.Step step) {
    String held =
        step.after().properties().stream()
            .map(Property::name)
            .sorted()
            .collect(Collectors.joining(", "));
    return held.isEmpty() ? "none" : held;
  }
}
