package futharkc.tests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a shell script of the project.
 *
 * @param status the exit status
 * @param output the standard output and the error messages
 */
record ShellScript(int status, String output) {
  /** Runs a script with {@code sh}. */
  static ShellScript run(Path script, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", script.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new ShellScript(process.waitFor(), output);
  }
}
