package futharkc.core.ir.imperative;

import futharkc.core.ir.Name;
import java.util.ArrayList;
import java.util.List;

/**
 * The operator of a reduction, on scalars, which is associative.
 *
 * @param accumulators what is accumulated
 * @param neutral combined with these, any operand stays
 * @param left the names of the left operands
 * @param right the names of the right operands, of the accumulators' types as well
 * @param body computes the results; it declares what it assigns
 * @param commutative whether the order of operands does not matter
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

  /** The operands, as variables: left ones, then right ones. */
  public Code.Variable[] operands() {
    List<Code.Variable> all = new ArrayList<>();
    for (List<Name> names : List.of(left, right)) {
      for (int i = 0; i < names.size(); i++) {
        all.add(Code.Variable.scalar(names.get(i), accumulators.get(i).type()));
      }
    }
    return all.toArray(Code.Variable[]::new);
  }

  /** The operator with other code. */
  public ReductionOperator withBody(List<Code> body, List<Expr> results) {
    return new ReductionOperator(accumulators, neutral, left, right, body, results, commutative);
  }
}
