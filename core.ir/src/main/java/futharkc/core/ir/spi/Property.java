package futharkc.core.ir.spi;

/**
 * A property of a program beyond its representation. Passes establish, require and destroy
 * properties. Plugins may define properties, whose names contain the plugin's name.
 */
public record Property(String name) {
  /** The program contains no redundant, dead or foldable code known to pass {@code simplify}. */
  public static final Property SIMPLIFIED = new Property("simplified");

  /** Small and higher-order functions are inlined at their calls. */
  public static final Property INLINED = new Property("inlined");

  /** Producers and consumers are fused. */
  public static final Property FUSED = new Property("fused");

  /** The program contains no derivative operators. */
  public static final Property DIFFERENTIATED = new Property("differentiated");

  /** Every allocation is as early as its size allows. */
  public static final Property ALLOCATIONS_HOISTED = new Property("allocations-hoisted");

  /** Loops do not allocate in each iteration for arrays that they carry. */
  public static final Property DOUBLE_BUFFERED = new Property("double-buffered");

  /** The program contains no second-order operations, including in code of threads. */
  public static final Property FIRST_ORDER = new Property("first-order");

  /**
   * GPU threads do not allocate memory. Thread blocks allocate shared memory only at their
   * beginning, in sizes that the host knows.
   */
  public static final Property EXPANDED = new Property("expanded");

  @Override
  public String toString() {
    return name;
  }
}
