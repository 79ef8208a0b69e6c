package futharkc.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where a command reads and writes.
 *
 * @param colours whether to use colours on {@code err}
 * @param terminal whether a person looks at {@code err}
 */
record Console(
    InputStream in, PrintStream out, PrintStream err, boolean colours, boolean terminal) {
  /** The streams of this process. */
  static Console ofProcess() {
    boolean terminal = isTerminal();
    return new Console(
        new FileInputStream(FileDescriptor.in),
        stream(FileDescriptor.out),
        stream(FileDescriptor.err),
        System.getenv("NO_COLOR") == null && terminal,
        terminal);
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(
        new BufferedOutputStream(new FileOutputStream(descriptor), 1 << 13),
        false,
        StandardCharsets.UTF_8);
  }

  /** Whether a person looks at the output, as far as the JVM can tell. */
  private static boolean isTerminal() {
    String forced = System.getenv("FUTHARKC_COLOURS");
    if (forced != null) {
      return forced.equals("1");
    }
    java.io.Console console = System.console();
    return console != null && console.isTerminal();
  }

  void flush() {
    out.flush();
    err.flush();
  }
}
