package futharkc.core.ir;

import java.util.List;

/**
 * The distribution of a space's indices over the available threads or thread blocks. It does not
 * affect results.
 */
public sealed interface SegVirt {
  /**
   * Each thread or thread block evaluates several indices in turn, since there may be fewer of them
   * than indices. In a grid of n workers, worker number {@code i % n} evaluates row-major index i.
   * It may therefore reuse memory between its indices.
   */
  record Virt() implements SegVirt {}

  /** At least as many threads or thread blocks as indices. Surplus ones do nothing. */
  record NoVirt() implements SegVirt {}

  /**
   * A distribution over the threads of a thread block in which every thread takes part in every
   * step.
   *
   * @param sequential the dimensions of the space, counted from the outermost, that a sequential
   *     loop traverses: at any time all threads have the same index in these dimensions
   */
  record Full(List<Integer> sequential) implements SegVirt {
    public Full {
      sequential = List.copyOf(sequential);
    }
  }

  SegVirt VIRT = new Virt();
  SegVirt NO_VIRT = new NoVirt();
}
