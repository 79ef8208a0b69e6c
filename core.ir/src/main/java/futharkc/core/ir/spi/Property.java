package futharkc.core.ir.spi;

/**
 * A property of a program, beyond its representation, that passes establish, require and destroy.
 * Plugins may have their own; the name says whose.
 */
public record Property(String name) {
  /** No redundant, dead or foldable code that the simplifier knows: see pass {@code simplify}. */
  public static final Property SIMPLIFIED = new Property("simplified");

  /** Small and higher-level functions are inlined where they are called. */
  public static final Property INLINED = new Property("inlined");

  /** Producers and consumers are fused. */
  public static final Property FUSED = new Property("fused");

  /** No derivative operators. */
  public static final Property DIFFERENTIATED = new Property("differentiated");

  /** Every allocation is as early as its size allows. */
  public static final Property ALLOCATIONS_HOISTED = new Property("allocations-hoisted");

  /** Loops do not allocate anew for arrays that they carry. */
  public static final Property DOUBLE_BUFFERED = new Property("double-buffered");

  /** No second-order operations, also not inside of threads. */
  public static final Property FIRST_ORDER = new Property("first-order");

  /**
   * No thread of a GPU allocates memory; thread blocks allocate shared memory, first thing, in
   * sizes that the host knows.
   */
  public static final Property EXPANDED = new Property("expanded");

  @Override
  public String toString() {
    return name;
  }
}
