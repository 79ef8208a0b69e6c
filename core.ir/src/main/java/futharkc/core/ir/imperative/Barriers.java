package futharkc.core.ir.imperative;

import java.util.List;

/** Where the threads of a block have to be at a time. */
public final class Barriers {
  private Barriers() {}

  /** Whether the threads of a block go through a statement together. */
  public static boolean isOne(Code c) {
    return c instanceof Code.Barrier
        || c instanceof Code.LeaveIfFailed
        || c instanceof Code.Shuffle;
  }

  /** Whether there is one in some code, at whatever depth. */
  public static boolean areIn(List<Code> code) {
    return code.stream()
        .anyMatch(
            c ->
                isOne(c)
                    || c instanceof Code.Compound x
                        && x.bodies().stream().anyMatch(Barriers::areIn));
  }
}
