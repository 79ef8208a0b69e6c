package futharkc.core.ir.verify;

import futharkc.core.ir.verify.Check.Called;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the results of a map's body, or of a body over an index space, share with others on their
 * way through scans and reductions to the last lambda. This one goes on where the body ended: it
 * may consume what the body made or was given to consume, but nothing that comes from outside, nor
 * what a scan or reduction needs.
 */
final class BodyAliases {
  private final VerifierScope env;
  private final List<Set<AliasClass>> mapped;
  private final List<Set<AliasClass>> scanned = new ArrayList<>();
  private int taken;

  /**
   * @param mapped for each result of the body, what it shares with others
   */
  BodyAliases(VerifierScope env, List<Set<AliasClass>> mapped) {
    this.env = env;
    this.mapped = mapped;
  }

  /** Hands the next results to an operator of a scan, and its results on. */
  void scan(Called operator) {
    for (Set<AliasClass> result : operator.results()) {
      Set<AliasClass> kept = new LinkedHashSet<>();
      for (AliasClass o : result) {
        // The operator is given it again, as the next left operand.
        kept.add(new AliasClass(o.first, env.region(), "what a scan goes on with", false));
      }
      scanned.add(kept);
    }
    taken += operator.results().size();
  }

  /** Hands the next results to an operator of a reduction. */
  void reduce(int n) {
    taken += n;
  }

  /** For each parameter of the last lambda, what it shares with others. */
  List<Set<AliasClass>> toPost() {
    List<Set<AliasClass>> given = new ArrayList<>(scanned);
    given.addAll(mapped.subList(taken, mapped.size()));
    return given;
  }

  /** To be called when the last lambda was checked. */
  void done() {
    for (Set<AliasClass> operand : mapped.subList(0, taken)) {
      for (AliasClass o : operand) {
        if (o.consumer != null) {
          throw new BrokenRule(
              "an operand of a scan or reduction shares elements with what is consumed by "
                  + o.consumer);
        }
      }
    }
  }
}
