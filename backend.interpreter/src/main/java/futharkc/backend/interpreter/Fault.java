package futharkc.backend.interpreter;

import futharkc.core.ir.Stm;
import futharkc.core.ir.text.Printer;
import org.jspecify.annotations.Nullable;

/**
 * An action that no correct program takes. The bug is in the pass that made the program, or in the
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

  /** Adds the statement that caused the fault, unless an inner statement is known. */
  Fault in(Stm s) {
    if (where == null) {
      where = Printer.print(s);
    }
    return this;
  }

  /** Adds the statement that caused the fault, unless an inner statement is known. */
  Fault in(futharkc.core.ir.imperative.Code c) {
    if (where == null) {
      where = Printer.print(c);
    }
    return this;
  }

  /** Returns the message, with the innermost statement if it is known. */
  @Override
  public String getMessage() {
    String message = super.getMessage();
    if (where == null) {
      return message == null ? "" : message;
    }
    String text = where.length() > SHOWN ? where.substring(0, SHOWN) + "..." : where;
    return message + "\nin " + text;
  }
}
