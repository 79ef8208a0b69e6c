package futharkc.core.ir.imperative;

import java.util.List;

/** Which code may fail. */
public final class Failures {
  private Failures() {}

  /** Whether some code has an assertion, or a call, which may have one, at whatever depth. */
  public static boolean arePossible(List<Code> code) {
    return code.stream()
        .anyMatch(
            c ->
                c instanceof Code.Assert
                    || c instanceof Code.Call
                    || c instanceof Code.Compound x
                        && x.bodies().stream().anyMatch(Failures::arePossible));
  }
}
