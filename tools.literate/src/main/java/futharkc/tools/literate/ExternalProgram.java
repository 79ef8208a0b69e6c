package futharkc.tools.literate;

import futharkc.harness.testing.ScriptException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A program of the machine that makes files which Java's libraries cannot make. */
final class ExternalProgram {
  private ExternalProgram() {}

  /**
   * Runs a program.
   *
   * @param what the result that needs the program, for the message if the program is missing
   * @param input the text on standard input
   * @throws ScriptException if the program is missing or fails
   */
  static void run(String what, List<String> command, String input)
      throws ScriptException, IOException {
    Process process;
    try {
      process = new ProcessBuilder(new ArrayList<>(command)).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new ScriptException(
          what + " needs the program " + command.getFirst() + ", which this machine lacks");
    }
    try {
      try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
        in.write(input);
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        throw new ScriptException(
            command.getFirst() + " failed with exit code " + status + ":\n" + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroy();
    }
  }
}
