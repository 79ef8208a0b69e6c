package futharkc.tools.repl;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The inputs of a session, in order. */
interface InputLines extends AutoCloseable {
  /**
   * Prints a prompt and returns the next input, which may have several lines.
   *
   * @return the input; null at the end of all inputs
   * @throws IOException if the inputs cannot be read
   */
  @Nullable String next(String prompt) throws IOException;

  /** Returns the signal that interrupts computations. */
  InterruptSignal interrupts();

  @Override
  void close() throws IOException;
}
