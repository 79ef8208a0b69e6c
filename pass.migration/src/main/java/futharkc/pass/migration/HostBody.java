package futharkc.pass.migration;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Stm;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A body of host code, in the tree of all bodies of a function. */
final class HostBody {
  private final double frequency;
  private final int group;
  private final List<Integer> vertices = new ArrayList<>();
  private final List<Control> controls = new ArrayList<>();
  private double operations;
  private @Nullable String hostOnly;

  /** A statement with bodies of its own. */
  sealed interface Control {
    Stm stm();

    /** A branch, of which one body runs. */
    record Branch(Stm stm, Exp.Match match, List<HostBody> bodies) implements Control {}

    /**
     * A loop.
     *
     * @param runs true if the body surely runs
     */
    record Loop(Stm stm, Exp.Loop loop, HostBody body, boolean runs) implements Control {}

    /** An accumulation, of which the body runs once. */
    record Accumulation(Stm stm, HostBody body) implements Control {}
  }

  /**
   * A body.
   *
   * @param frequency estimated runs of the body in a call of the function
   * @param group the group of the scalars of this body
   */
  HostBody(double frequency, int group) {
    this.frequency = frequency;
    this.group = group;
  }

  double frequency() {
    return frequency;
  }

  int group() {
    return group;
  }

  /** Returns the vertices of scalars that the body binds. */
  List<Integer> vertices() {
    return vertices;
  }

  /** Returns the statements of the body that have bodies of their own. */
  List<Control> controls() {
    return controls;
  }

  /** Notes scalar operations, as an estimated number in one run of the body. */
  void addOperations(double count) {
    operations += count;
  }

  /** Returns the estimated number of scalar operations in one run of the body. */
  double operations() {
    return operations;
  }

  /** Keeps the body on the host, for the given reason. */
  void keepOnHost(String why) {
    if (hostOnly == null) {
      hostOnly = why;
    }
  }

  /** Returns the reason that keeps the body on the host, or null. */
  @Nullable String hostOnly() {
    return hostOnly;
  }
}
