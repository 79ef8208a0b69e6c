package futharkc.core.runtime;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Counts how many values of a program's user hold each block, so that a block goes back to its
 * memory when the last of them is dropped. Values may share blocks. Not thread-safe.
 */
public final class Ownership {
  private final ValueSpace space;
  private final Map<Object, int[]> counts = new IdentityHashMap<>();

  /** Over the blocks of a memory, none of which is held yet. */
  public Ownership(ValueSpace space) {
    this.space = space;
  }

  /**
   * Holds a value of which some blocks may have been made outside of the program, such as its
   * input: those that are not held yet are taken over, and must not be in use elsewhere.
   *
   * @return the value, in the memory where values are held
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

  /** Holds a value: a result of the program, or one that shares its blocks with others. */
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

  /** Drops a value that has been held or adopted. */
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

  /** Whether some block of a held value is also part of another value that is held. */
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

  /** A held copy of a value, in blocks of its own. */
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
