package futharkc.core.ir;

import java.util.List;

/**
 * How the indices of a space are shared out among the threads or thread blocks that there are. What
 * is computed does not depend on it.
 */
public sealed interface SegVirt {
  /**
   * Threads or blocks take turns: there may be fewer of them than indices. Of a grid that is named,
   * all have numbers, and the one whose number is the remainder of a row-major index by the number
   * of all is who runs the body for it: so it may use memory that it uses for other indices.
   */
  record Virt() implements SegVirt {}

  /** There are at least as many as indices; those that are left over do nothing. */
  record NoVirt() implements SegVirt {}

  /**
   * Of the threads of a block: every one takes part at every step.
   *
   * @param sequential dimensions of the space, counted from the outermost, that are gone through
   *     one index after the other: at any time all threads have the same index there
   */
  record Full(List<Integer> sequential) implements SegVirt {
    public Full {
      sequential = List.copyOf(sequential);
    }
  }

  SegVirt VIRT = new Virt();
  SegVirt NO_VIRT = new NoVirt();
}
