package futharkc.tests.kit.source;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A search for a smaller program that fails in the same way as a given program. */
public final class Shrinking {
  private Shrinking() {}

  /**
   * Replaces expressions by smaller expressions of the same type while the result fails in the same
   * way. For example, the search replaces a {@code let} by its body.
   *
   * @param fails a test whether a program fails in the same way; programs may be ill typed
   * @param tries the maximal number of programs to try
   */
  public static RandomProgram shrink(
      RandomProgram program, Predicate<RandomProgram> fails, int tries) {
    RandomProgram best = program;
    int left = tries;
    boolean better = true;
    while (better && left > 0) {
      better = false;
      for (int at = 1; at < best.tree().size() && left > 0; at++) {
        for (Tree smaller : candidates(best.tree().get(at))) {
          if (left-- <= 0) {
            break;
          }
          RandomProgram candidate = new RandomProgram(best.tree().with(at, smaller));
          if (fails.test(candidate)) {
            best = candidate;
            better = true;
            break;
          }
        }
      }
    }
    return best;
  }

  private static List<Tree> candidates(Tree t) {
    List<Tree> out = new ArrayList<>();
    SourceType type = t.type();
    if (type == null) {
      // The search removes functions that have no call.
      if (t.text().startsWith("def ") && !t.text().startsWith("def main")) {
        out.add(Tree.piece());
      }
      return out;
    }
    String zero = type.zero();
    if (!t.text().equals(zero) && (t.size() > 1 || !t.text().matches("\\w+"))) {
      out.add(Tree.atom(type, zero));
    }
    List<Tree> inside = t.ofSameType();
    out.addAll(inside.subList(0, Math.min(inside.size(), 6)));
    return out;
  }
}
