package futharkc.core.driver.pipeline;

import futharkc.core.driver.plan.Plan;
import futharkc.core.driver.plan.State;
import futharkc.core.ir.Ir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A writer of reproducers. A reproducer is a file with the program before the failing pass; its
 * leading comments contain the plan from that pass on.
 *
 * @param folder the folder of the reproducers
 * @param program the program's name, the prefix of the file's name
 * @param target the target of the plan
 * @param pluginPath the folders of plugins in use
 */
public record CrashReport(Path folder, String program, String target, List<Path> pluginPath) {
  /** Copies the list. */
  public CrashReport {
    pluginPath = List.copyOf(pluginPath);
  }

  /**
   * The result of writing a reproducer.
   *
   * @param file the file, or null if it could not be written
   * @param advice a text for the user: the command that reproduces the failure, or the reason why
   *     the file is missing
   */
  record Written(@Nullable Path file, String advice) {}

  Written write(Ir before, Plan plan, int index, String message) {
    List<Plan.Step> rest = plan.steps().subList(index, plan.steps().size());
    String restText = rest.stream().map(s -> s.pass().toString()).collect(Collectors.joining(","));
    String pass = rest.getFirst().pass().name();
    Path file = folder.resolve(program + "-" + pass + "-crash" + IrText.ending(before.rep()));
    String command =
        "futharkc --target="
            + target
            + pluginPath.stream().map(p -> " --plugin-path=" + p).collect(Collectors.joining())
            + " '--plan="
            + restText
            + "' "
            + file;
    try {
      State state = rest.getFirst().before();
      String comment = message + "\n\nTo reproduce:\n  " + command;
      Files.writeString(file, new IrText(before, state.properties()).print(comment));
      return new Written(
          file, "The program before the pass is in " + file + ". To reproduce:\n  " + command);
    } catch (IOException | RuntimeException e) {
      return new Written(
          null, "The program before the pass could not be written to " + file + ": " + e);
    }
  }
}
