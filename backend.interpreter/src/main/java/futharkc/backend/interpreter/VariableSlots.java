package futharkc.backend.interpreter;

import futharkc.core.ir.Name;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The slots of the variables of an imperative function. Declarations of one name are never in scope
 * of each other, so a name has one slot.
 */
final class VariableSlots {
  private final @Nullable VariableSlots constants;
  private final @Nullable Activation constantValues;
  private final Map<Name, Integer> scalars = new HashMap<>();
  private final Map<Name, int[]> lanes = new HashMap<>();
  private final Map<Name, Integer> blocks = new HashMap<>();
  private int scalarCount;

  /**
   * Creates the slots of a function.
   *
   * @param constants the slots of the constants; null for the constants themselves
   * @param constantValues the values of the constants
   */
  VariableSlots(@Nullable VariableSlots constants, @Nullable Activation constantValues) {
    this.constants = constants;
    this.constantValues = constantValues;
  }

  /**
   * The location of a variable.
   *
   * @param in the activation of a constant; null for a variable of the current activation
   * @param slot the slot in the activation
   */
  record Place(@Nullable Activation in, int slot) {}

  /** Returns the slots of a lane variable, one for each lane. */
  int[] declareLanes(Name n, int count) {
    int[] slots = new int[count];
    for (int k = 0; k < count; k++) {
      slots[k] = scalarCount++;
    }
    lanes.put(n, slots);
    return slots;
  }

  /** Returns the slots of a lane variable; null if the variable is the same in all lanes. */
  int @Nullable [] lanes(Name n) {
    return lanes.get(n);
  }

  int declareScalar(Name n) {
    return scalars.computeIfAbsent(n, k -> scalarCount++);
  }

  int declareBlock(Name n) {
    return blocks.computeIfAbsent(n, k -> blocks.size());
  }

  Place scalar(Name n) {
    Integer slot = scalars.get(n);
    if (slot != null) {
      return new Place(null, slot);
    }
    Integer constant = constants == null ? null : constants.scalars.get(n);
    if (constant == null) {
      throw new Fault(n + " is not declared");
    }
    return new Place(constantValues, constant);
  }

  Place block(Name n) {
    Integer slot = blocks.get(n);
    if (slot != null) {
      return new Place(null, slot);
    }
    Integer constant = constants == null ? null : constants.blocks.get(n);
    if (constant == null) {
      throw new Fault(n + " is not declared");
    }
    return new Place(constantValues, constant);
  }

  /** Returns the slot of a scalar of this function, for an assignment. */
  int ownScalar(Name n) {
    Integer slot = scalars.get(n);
    if (slot == null) {
      throw new Fault(n + " is not declared");
    }
    return slot;
  }

  /** Returns the slot of a block variable of this function, for an assignment. */
  int ownBlock(Name n) {
    Integer slot = blocks.get(n);
    if (slot == null) {
      throw new Fault(n + " is not declared");
    }
    return slot;
  }

  Activation activation(Execution x) {
    return new Activation(x, scalarCount, blocks.size());
  }
}
