package futharkc.backend.interpreter;

import futharkc.core.ir.Name;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the variables of a function of an imperative program are in its activations. A name is
 * declared in several places at most where these are not in scope of each other, so it needs one
 * place.
 */
final class VariableSlots {
  private final @Nullable VariableSlots constants;
  private final @Nullable Activation constantValues;
  private final Map<Name, Integer> scalars = new HashMap<>();
  private final Map<Name, Integer> blocks = new HashMap<>();

  /** Of a function that may use constants; null where there are none yet. */
  VariableSlots(@Nullable VariableSlots constants, @Nullable Activation constantValues) {
    this.constants = constants;
    this.constantValues = constantValues;
  }

  /**
   * Where a variable is.
   *
   * @param in an activation that it is in always; null: in the current one
   */
  record Place(@Nullable Activation in, int slot) {}

  int declareScalar(Name n) {
    return scalars.computeIfAbsent(n, k -> scalars.size());
  }

  int declareBlock(Name n) {
    return blocks.computeIfAbsent(n, k -> blocks.size());
  }

  Place scalar(Name n) {
    Integer slot = scalars.get(n);
    if (slot != null) return new Place(null, slot);
    Integer constant = constants == null ? null : constants.scalars.get(n);
    if (constant == null) throw new Fault(n + " is not declared");
    return new Place(constantValues, constant);
  }

  Place block(Name n) {
    Integer slot = blocks.get(n);
    if (slot != null) return new Place(null, slot);
    Integer constant = constants == null ? null : constants.blocks.get(n);
    if (constant == null) throw new Fault(n + " is not declared");
    return new Place(constantValues, constant);
  }

  /** Where a variable is that is changed. */
  int ownScalar(Name n) {
    Integer slot = scalars.get(n);
    if (slot == null) throw new Fault(n + " is not declared");
    return slot;
  }

  /** Where a variable is that is changed. */
  int ownBlock(Name n) {
    Integer slot = blocks.get(n);
    if (slot == null) throw new Fault(n + " is not declared");
    return slot;
  }

  Activation activation(Execution x) {
    return new Activation(x, scalars.size(), blocks.size());
  }
}
