package futharkc.cli;

import futharkc.core.runtime.device.Diagnosis;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc doctor}. */
final class DoctorCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Checks whether this machine has the software and devices that programs need, and"
                + " prints how to install missing ones.");
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console) {
    print("Java", java(), console);
    ServiceLoader.load(Diagnosis.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(Diagnosis::subject))
        .forEach(d -> print(d.subject(), d.findings(), console));
    return Status.OK;
  }

  private static List<Diagnosis.Finding> java() {
    String found =
        "Java " + Runtime.version() + ", in " + System.getProperty("java.home") + ", with ";
    return List.of(
        Diagnosis.Finding.good(found + Runtime.getRuntime().availableProcessors() + " processors"),
        ToolProvider.getSystemJavaCompiler() == null
            ? Diagnosis.Finding.bad(
                "no Java compiler", "set FUTHARKC_JAVA to the folder of a development kit (JDK)")
            : Diagnosis.Finding.good("its compiler"));
  }

  private static void print(String subject, List<Diagnosis.Finding> findings, Console console) {
    console.out().println(subject);
    for (Diagnosis.Finding finding : findings) {
      console.out().println((finding.good() ? "  found:   " : "  missing: ") + finding.what());
      if (!finding.wayOut().isEmpty()) {
        console.out().println("           " + finding.wayOut());
      }
    }
  }
}
