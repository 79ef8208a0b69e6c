package futharkc.pass.galop;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Orders of dimensions. */
final class Permutations {
  private Permutations() {}

  /** Returns the order 0, 1, 2, ... */
  static List<Integer> identity(int rank) {
    return IntStream.range(0, rank).boxed().toList();
  }

  /**
   * Returns an order with one dimension moved to the end. Memory changes between the two orders by
   * a transposition of two neighbouring groups of dimensions, which is a fast copy.
   */
  static List<Integer> withLast(List<Integer> order, int last) {
    List<Integer> moved = new ArrayList<>(order);
    moved.remove((Integer) last);
    moved.add(last);
    return moved;
  }
}
