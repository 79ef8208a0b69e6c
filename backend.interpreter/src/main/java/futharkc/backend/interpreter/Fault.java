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

  private transient @Nullable Stm where;

  Fault(String message) {
    super(message);
  }

  Fault(String message, Throwable cause) {
    super(message, cause);
  }

  /** Tells the statement, unless an inner one was told. */
  Fault in(Stm s) {
    if (where == null) where = s;
    return this;
  }

  /** The innermost statement; null if unknown. */
  public @Nullable Stm statement() {
    return where;
  }

  @Override
  public String getMessage() {
    String message = super.getMessage();
    if (where == null) return message == null ? "" : message;
    String text = Printer.print(where);
    return message + "\nin " + (text.length() > 500 ? text.substring(0, 500) + "..." : text);
  }
}
