package futharkc.core.ir.imperative;

import java.util.List;

/** Searches for code that may fail. */
public final class Failures {
  private Failures() {}

  /**
   * Tests whether code contains an assertion or a call, at any depth. A called function may contain
   * an assertion.
   */
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
