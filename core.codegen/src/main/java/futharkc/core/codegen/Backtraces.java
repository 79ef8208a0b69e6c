package futharkc.core.codegen;

import futharkc.core.ir.Loc;
import java.util.List;

/** A printer of the call chain of a failure. */
public final class Backtraces {
  private Backtraces() {}

  /** Returns one line per source location, innermost first: {@code -> #0 file.fut:1:2-3}. */
  public static String text(List<Loc> trace) {
    StringBuilder s = new StringBuilder();
    for (int i = 0; i < trace.size(); i++) {
      if (i > 0) {
        s.append('\n');
      }
      String number = Integer.toString(i);
      s.append(i == 0 ? "-> #" : "   #")
          .append(number)
          .append(" ".repeat(Math.max(1, 3 - number.length())))
          .append(trace.get(i));
    }
    return s.toString();
  }
}
