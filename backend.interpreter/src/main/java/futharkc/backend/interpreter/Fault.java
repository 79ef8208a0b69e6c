package futharkc.backend.interpreter;

import futharkc.core.ir.Stm;
import futharkc.core.ir.text.Printer;
import org.jspecify.annotations.Nullable;

/**
 * The program does what no right program does: the fault of the pass that made it, or of the
 * interpreter.
 */
public final class Fault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final int SHOWN = 500;

  private @Nullable String where;

  Fault(String message) {
    super(message);
  }

  Fault(String message, Throwable cause) {
    super(message, cause);
  }

  /** Tells the statement, unless an inner one was told. */
  Fault in(Stm s) {
    if (where == null) where = Printer.print(s);
    return this;
  }

  /** Tells the statement, unless an inner one was told. */
  Fault in(futharkc.core.ir.imperative.Code c) {
    if (where == null) where = Printer.print(c);
    return this;
  }

  /** With the innermost statement, if that is known. */
  @Override
  public String getMessage() {
    String message = super.getMessage();
    if (where == null) return message == null ? "" : message;
    String text = where.length() > SHOWN ? where.substring(0, SHOWN) + "..." : where;
    return message + "\nin " + text;
  }
}
