package futharkc.integration.partitions;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A tree that joins values in the order of their positions, whatever the order of their arrival.
 * Each node joins the results of two neighbours, so that the operator need only be associative. The
 * shape of the tree depends on the number of positions alone.
 *
 * <pre>
 * 0   1   2   3   4
 *  \ /     \ /    |
 *   .-------.     |
 *       |         |
 *       .---------.
 * </pre>
 *
 * @param <S> the type of the values
 */
public final class NeighbourTree<S> {
  private static final Object ABSENT = new Object();

  /** The values of each level that wait for their neighbour, {@link #ABSENT} for empty ones. */
  private final List<@Nullable Object[]> levels = new ArrayList<>();

  private @Nullable S result;
  private boolean done;

  /**
   * Creates a tree.
   *
   * @param positions the number of values
   */
  public NeighbourTree(int positions) {
    int n = positions;
    levels.add(new @Nullable Object[n]);
    while (n > 1) {
      n = (n + 1) / 2;
      levels.add(new @Nullable Object[n]);
    }
    done = positions == 0;
  }

  /**
   * Adds the value of a position, and joins all pairs that it completes.
   *
   * @param position the position, which has no value yet
   * @param value the value; null if the position has none: its neighbour's value then needs no join
   * @param join the operator, the same in all calls up to the worker that runs it; it is called
   *     without a lock
   */
  public void add(int position, @Nullable S value, BinaryOperator<S> join) {
    @Nullable S current = value;
    int at = position;
    for (int level = 0; ; level++) {
      Object other = meet(level, at, current);
      if (other == null) {
        return;
      }
      if (other != ABSENT) {
        @SuppressWarnings("unchecked")
        S neighbour = (S) other;
        current =
            current == null
                ? neighbour
                : at % 2 == 0 ? join.apply(current, neighbour) : join.apply(neighbour, current);
      }
      at /= 2;
    }
  }

  /**
   * Stores a value until its neighbour arrives.
   *
   * @return the neighbour, {@link #ABSENT} if it has no value or there is none; null if the value
   *     has to wait or is the result
   */
  private synchronized @Nullable Object meet(int level, int at, @Nullable S value) {
    @Nullable Object[] values = levels.get(level);
    if (values.length == 1) {
      result = value;
      done = true;
      return null;
    }
    int neighbour = at ^ 1;
    if (neighbour >= values.length) {
      return ABSENT;
    }
    Object other = values[neighbour];
    if (other == null) {
      values[at] = value == null ? ABSENT : value;
      return null;
    }
    values[neighbour] = null;
    return other;
  }

  /**
   * Returns the join of all values; null if no position has a value.
   *
   * @throws IllegalStateException if values are missing
   */
  public synchronized @Nullable S result() {
    if (!done) {
      throw new IllegalStateException("values are missing");
    }
    return result;
  }
}
