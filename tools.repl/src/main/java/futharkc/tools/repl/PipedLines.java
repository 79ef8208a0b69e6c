package futharkc.tools.repl;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The lines of a stream that is not a terminal. Prompts are printed, but the lines are not. */
final class PipedLines implements InputLines {
  private final BufferedReader in;
  private final PrintStream out;
  private final InterruptSignal interrupts;

  /**
   * Creates the inputs.
   *
   * @param idle reacts to an interrupt signal outside computations
   */
  PipedLines(InputStream in, PrintStream out, Runnable idle) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = out;
    this.interrupts = InterruptSignal.ofProcess(idle);
  }

  @Override
  public @Nullable String next(String prompt) throws IOException {
    out.print(prompt);
    out.flush();
    return in.readLine();
  }

  @Override
  public InterruptSignal interrupts() {
    return interrupts;
  }

  @Override
  public void close() {
    interrupts.close();
  }
}
