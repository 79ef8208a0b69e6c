package futharkc.core.ir.imperative;

import futharkc.core.ir.Name;
import java.util.ArrayList;
import java.util.List;

/**
 * An associative operator of a reduction on scalars.
 *
 * @param accumulators the variables that accumulate
 * @param neutral the neutral elements
 * @param left the names of the left operands
 * @param right the names of the right operands, with the accumulators' types
 * @param body the code that computes the results and declares every variable that it assigns
 * @param commutative true if the operator is commutative
 */
public record ReductionOperator(
    List<Code.Variable> accumulators,
    List<Expr> neutral,
    List<Name> left,
    List<Name> right,
    List<Code> body,
    List<Expr> results,
    boolean commutative) {
  public ReductionOperator {
    accumulators = List.copyOf(accumulators);
    neutral = List.copyOf(neutral);
    left = List.copyOf(left);
    right = List.copyOf(right);
    body = List.copyOf(body);
    results = List.copyOf(results);
  }

  /** Returns the operands as variables: left operands, then right operands. */
  public Code.Variable[] operands() {
    List<Code.Variable> all = new ArrayList<>();
    for (List<Name> names : List.of(left, right)) {
      for (int i = 0; i < names.size(); i++) {
        all.add(Code.Variable.scalar(names.get(i), accumulators.get(i).type()));
      }
    }
    return all.toArray(Code.Variable[]::new);
  }

  /** Returns this operator with other code. */
  public ReductionOperator withBody(List<Code> body, List<Expr> results) {
    return new ReductionOperator(accumulators, neutral, left, right, body, results, commutative);
  }
}
