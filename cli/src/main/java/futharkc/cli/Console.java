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
    return new ProcessStream(new Target(new FileOutputStream(descriptor)));
  }

  /** A stream of this process. */
  private static final class ProcessStream extends PrintStream {
    private final Target target;

    ProcessStream(Target target) {
      super(new BufferedOutputStream(target, 1 << 13), false, StandardCharsets.UTF_8);
      this.target = target;
    }
  }

  /** Where such a stream leads; a {@link PrintStream} does not tell why it failed. */
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

  /** Whether a person looks at the output, as far as the JVM can tell. */
  @SuppressWarnings("SystemConsoleNull") // A run-time image may lack the module that provides one.
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

  /** Why not everything could be written to standard output; null if it could. */
  @Nullable String outputFailure() {
    if (!out.checkError()) {
      return null;
    }
    IOException failure = out instanceof ProcessStream stream ? stream.target.failure : null;
    return "cannot write to standard output" + (failure == null ? "" : ": " + failure.getMessage());
  }
}
