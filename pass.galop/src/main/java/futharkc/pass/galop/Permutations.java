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

  /**
   * Tests whether an order swaps two neighbouring groups of dimensions, the second of which is the
   * last of all: whether a copy in this order is a transposition of matrices.
   */
  static boolean isTransposition(List<Integer> order) {
    int rank = order.size();
    int first = 0;
    while (first < rank && order.get(first) == first) {
      first++;
    }
    int moved = first < rank ? order.get(first) - first : 0;
    if (moved <= 0) {
      return false;
    }
    for (int k = first; k < rank; k++) {
      if (order.get(k) != first + (k - first + moved) % (rank - first)) {
        return false;
      }
    }
    return true;
  }
}
