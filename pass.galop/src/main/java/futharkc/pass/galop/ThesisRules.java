package futharkc.pass.galop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which Pedersen and Nelin choose the layout for one read (section 4.3 of the thesis):
 * dimensions are sorted by the iteration that varies their index.
 */
final class ThesisRules {
  /** The largest constant stride of an index. */
  static final long LARGEST_STRIDE = 8;

  /** The kinds of iterations that vary an index. */
  enum Varies {
    NEVER,
    IN_LOOP,
    IN_KERNEL
  }

  /**
   * The iteration that varies the index of a dimension.
   *
   * @param level the number of iterations around it
   */
  record Variation(Varies kind, int level) {
    static final Variation NONE = new Variation(Varies.NEVER, 0);
  }

  private ThesisRules() {}

  /**
   * Returns the order of variations by which dimensions are sorted. On a device, dimensions that
   * vary in kernels become innermost; on a CPU, those that vary in loops.
   */
  static Comparator<Variation> importance(boolean device) {
    Comparator<Variation> byKind =
        Comparator.comparingInt(
            v ->
                switch (v.kind()) {
                  case NEVER -> 0;
                  case IN_LOOP -> device ? 1 : 2;
                  case IN_KERNEL -> device ? 2 : 1;
                });
    return byKind.thenComparingInt(Variation::level);
  }

  /**
   * Returns the order of dimensions for a read of a row-major array; null if the array stays as it
   * is: because the last index never varies, because the order is the present one, or because a
   * copy in this order is no transposition.
   */
  static @Nullable List<Integer> order(List<Variation> dims, boolean device) {
    if (dims.isEmpty() || dims.getLast().kind() == Varies.NEVER) {
      return null;
    }
    List<Integer> order = new ArrayList<>(Permutations.identity(dims.size()));
    order.sort(Comparator.comparing(dims::get, importance(device)));
    return Permutations.isTransposition(order) ? order : null;
  }
}
