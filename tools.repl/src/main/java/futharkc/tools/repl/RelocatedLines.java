package futharkc.tools.repl;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A stream of traces whose positions become positions in inputs. */
final class RelocatedLines extends PrintStream {
  private final ByteArrayOutputStream line;
  private final PrintStream session;
  private final SessionText text;

  RelocatedLines(PrintStream session, SessionText text) {
    this(session, text, new ByteArrayOutputStream());
  }

  private RelocatedLines(PrintStream session, SessionText text, ByteArrayOutputStream line) {
    super(line, false, StandardCharsets.UTF_8);
    this.line = line;
    this.session = session;
    this.text = text;
  }

  /** Writes what has been printed. The stream of the session stays open. */
  @Override
  public void flush() {
    super.flush();
    session.print(text.relocated(line.toString(StandardCharsets.UTF_8)));
    session.flush();
    line.reset();
  }

  @Override
  public void close() {
    flush();
  }
}
