package futharkc.pass.inlining;

import static java.util.Objects.requireNonNull;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Stm;
import java.util.Map;
import java.util.Set;

/**
 * The extent of a function's body after inlining.
 *
 * @param size the number of statements at any depth, at most {@link #LARGEST}
 * @param depth the nesting depth of bodies
 */
record Extent(long size, int depth) {
  private static final long LARGEST = 1L << 30;

  /**
   * Returns the extent of a body after inlining of the given functions.
   *
   * @param extents the extents of the functions
   */
  static Extent of(Body body, Set<String> inlined, Map<String, Extent> extents) {
    Measure measure = new Measure(inlined, extents);
    measure.body(body);
    return new Extent(measure.size, measure.deepest);
  }

  private static final class Measure extends Mapper {
    private final Set<String> inlined;
    private final Map<String, Extent> extents;
    private long size;
    private int depth;
    private int deepest;

    Measure(Set<String> inlined, Map<String, Extent> extents) {
      this.inlined = inlined;
      this.extents = extents;
    }

    @Override
    public Body body(Body b) {
      deepest = Math.max(deepest, ++depth);
      Body result = super.body(b);
      depth--;
      return result;
    }

    @Override
    public Stm stm(Stm s) {
      if (CallInliner.inlines(s, inlined)) {
        Extent callee = requireNonNull(extents.get(((Exp.Apply) s.exp()).function()));
        size = Math.min(LARGEST, size + callee.size);
        deepest = Math.max(deepest, depth - 1 + callee.depth);
        return s;
      }
      size = Math.min(LARGEST, size + 1);
      return super.stm(s);
    }
  }
}
