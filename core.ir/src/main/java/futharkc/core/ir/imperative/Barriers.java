package futharkc.core.ir.imperative;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A search for barriers: statements that the threads of a thread block execute together.
 *
 * <p>An object keeps its answers for compound statements, so that questions about all loops of a
 * nest take linear time.
 */
public final class Barriers {
  private final Map<Code.Compound, Boolean> known = new IdentityHashMap<>();

  /** Makes a search without known answers. */
  public Barriers() {}

  /** Tests whether the threads of a thread block execute a statement together. */
  public static boolean isOne(Code c) {
    return c instanceof Code.Barrier
        || c instanceof Code.LeaveIfFailed
        || c instanceof Code.Shuffle;
  }

  /** Tests whether a compound statement contains a barrier at any depth. */
  public boolean areIn(Code.Compound code) {
    Boolean answer = known.get(code);
    if (answer == null) {
      answer = code.bodies().stream().anyMatch(this::areIn);
      known.put(code, answer);
    }
    return answer;
  }

  /** Tests whether statements contain a barrier at any depth. */
  public boolean areIn(List<Code> code) {
    return code.stream().anyMatch(c -> isOne(c) || c instanceof Code.Compound x && areIn(x));
  }
}
