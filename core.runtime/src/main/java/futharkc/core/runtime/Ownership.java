package futharkc.core.runtime;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * A count of the references from a user's values to each block. A block is released with its last
 * reference; values may share blocks. The class is not thread-safe.
 */
public final class Ownership {
  private final ValueSpace space;
  private final Map<Object, int[]> counts = new IdentityHashMap<>();

  /**
   * Creates a count without references.
   *
   * @param space the memory of the blocks
   */
  public Ownership(ValueSpace space) {
    this.space = space;
  }

  /**
   * Adds the references of a value whose blocks may come from outside the program, such as its
   * input. The memory takes over blocks without references, which must not be in use elsewhere.
   *
   * @param value the value
   * @return the value in this memory
   */
  public Value adopt(Value value) {
    Value[] parts = Opaques.parts(value).clone();
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] instanceof ArrayValue a) {
        ArrayValue here = counts.containsKey(a.store().block()) ? a : space.adopt(a);
        hold(here);
        parts[i] = here;
      }
    }
    return Opaques.withParts(value, parts);
  }

  /**
   * Adds the references of a value: a result of the program, or a value that shares blocks with
   * other values.
   */
  public void hold(Value value) {
    for (Value part : Opaques.parts(value)) {
      if (part instanceof ArrayValue a) {
        hold(a);
      }
    }
  }

  private void hold(ArrayValue array) {
    int[] count = counts.get(array.store().block());
    if (count == null) {
      counts.put(array.store().block(), new int[] {1});
    } else {
      count[0]++;
    }
  }

  /** Removes the references of a value that was held or adopted. */
  public void drop(Value value) {
    for (Value part : Opaques.parts(value)) {
      if (part instanceof ArrayValue a) {
        int[] count = counts.get(a.store().block());
        if (count != null && --count[0] == 0) {
          counts.remove(a.store().block());
          space.release(a.store());
        }
      }
    }
  }

  /** Tests whether another held value shares a block with a held value. */
  public boolean isShared(Value value) {
    for (Value part : Opaques.parts(value)) {
      if (part instanceof ArrayValue a) {
        int[] count = counts.get(a.store().block());
        if (count != null && count[0] > 1) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns a held copy of a value, in new blocks. */
  public Value copy(Value value) {
    Value[] parts = Opaques.parts(value).clone();
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] instanceof ArrayValue a) {
        parts[i] = space.copy(a);
      }
    }
    Value copy = Opaques.withParts(value, parts);
    hold(copy);
    return copy;
  }
}
