package futharkc.core.ir.verify;

import futharkc.core.ir.verify.Check.Called;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The alias classes of the results of a map's body, or of a body over an index space, as they pass
 * through scans and reductions to the last lambda. The last lambda continues the body. It may
 * consume arrays that the body created or was given to consume. It must not consume outer arrays,
 * or operands of a scan or reduction.
 */
final class BodyAliases {
  private final VerifierScope env;
  private final List<Set<AliasClass>> mapped;
  private final List<Set<AliasClass>> scanned = new ArrayList<>();
  private int taken;

  /**
   * @param mapped the alias classes of each result of the body
   */
  BodyAliases(VerifierScope env, List<Set<AliasClass>> mapped) {
    this.env = env;
    this.mapped = mapped;
  }

  /**
   * Passes the next results to a scan operator, whose results become parameters of the last lambda.
   */
  void scan(Called operator) {
    for (Set<AliasClass> result : operator.results()) {
      Set<AliasClass> kept = new LinkedHashSet<>();
      for (AliasClass o : result) {
        // The operator receives its result again, as the next left operand.
        kept.add(new AliasClass(o.first, env.region(), "an operand of a scan operator", false));
      }
      scanned.add(kept);
    }
    taken += operator.results().size();
  }

  /** Passes the next {@code n} results to a reduction operator. */
  void reduce(int n) {
    taken += n;
  }

  /** Returns the alias classes of each parameter of the last lambda. */
  List<Set<AliasClass>> toPost() {
    List<Set<AliasClass>> given = new ArrayList<>(scanned);
    given.addAll(mapped.subList(taken, mapped.size()));
    return given;
  }

  /** Checks, after the last lambda, that it consumed no operand of a scan or reduction. */
  void done() {
    for (Set<AliasClass> operand : mapped.subList(0, taken)) {
      for (AliasClass o : operand) {
        if (o.consumer != null) {
          throw new BrokenRule(
              "an operand of a scan or reduction shares elements with an array that is consumed by "
                  + o.consumer);
        }
      }
    }
  }
}
