package futharkc.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The input and output streams of a command.
 *
 * @param colours whether to use terminal colours on {@code err}
 * @param terminal whether {@code err} is an interactive terminal
 */
record Console(
    InputStream in, PrintStream out, PrintStream err, boolean colours, boolean terminal) {
  /** Returns the standard streams of this process. */
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
    return new ProcessStream(new Target(new FileOutputStream(descriptor)));
  }

  /** A buffered UTF-8 stream that keeps its {@link Target}. */
  private static final class ProcessStream extends PrintStream {
    private final Target target;

    ProcessStream(Target target) {
      super(new BufferedOutputStream(target, 1 << 13), false, StandardCharsets.UTF_8);
      this.target = target;
    }
  }

  /**
   * The lowest layer of a {@link ProcessStream}. This class records the exception of a failed
   * write, which {@link PrintStream} hides.
   */
  private static final class Target extends FilterOutputStream {
    private @Nullable IOException failure;

    Target(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }

  /**
   * Tests whether the JVM has an interactive terminal. The environment variable {@code
   * FUTHARKC_COLOURS} overrides the test.
   */
  @SuppressWarnings(
      "SystemConsoleNull") // System.console() is null in a run-time image without the module
  // jdk.internal.le.
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

  /** Returns the reason why a write to standard output failed, or null if all writes succeeded. */
  @Nullable String outputFailure() {
    if (!out.checkError()) {
      return null;
    }
    IOException failure = out instanceof ProcessStream stream ? stream.target.failure : null;
    return "cannot write to standard output" + (failure == null ? "" : ": " + failure.getMessage());
  }
}
