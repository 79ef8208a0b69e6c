package futharkc.core.ir.imperative;

import futharkc.core.ir.Machine;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegSpace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A cost model of code on a machine: estimates of elementary operations as polynomials over sizes
 * known before the code runs.
 *
 * @param operations the costs of operations
 * @param events the costs of events in the run-time system
 */
public record CostModel(Machine.Operations operations, Machine.Events events) {
  /** The assumed trip count of a loop without a known bound. */
  public static final int UNKNOWN_TRIPS = 16;

  /** Creates the cost model of a machine. */
  public CostModel(Machine machine) {
    this(machine.operations(), machine.events());
  }

  /**
   * Returns the cost of code.
   *
   * @param unknown the names, besides those that the code declares, that are unknown before the
   *     code runs
   */
  public Poly cost(List<Code> code, Set<Name> unknown) {
    Cost c = new Cost(this);
    unknown.forEach(c::declare);
    return c.all(code);
  }

  /** Returns the cost of the code that runs for each index of a space. */
  public Poly costOfIndex(List<Code> code, SegSpace space) {
    return cost(code, indices(space)).plus(Poly.ONE);
  }

  /**
   * Tests whether the cost may vary between the indices of a space, because an iteration determines
   * the trip count of a loop.
   */
  public boolean isUneven(List<Code> code, SegSpace space) {
    Cost c = new Cost(this);
    indices(space).forEach(c::declare);
    c.all(code);
    return c.hasGuessed();
  }

  /**
   * Replaces variables that code declares by guesses in a cost, so that it mentions only values
   * known before the code runs.
   */
  public Poly outside(Poly cost, List<Code> code) {
    Cost c = new Cost(this);
    c.all(code);
    return c.outside(cost);
  }

  /**
   * Returns the time of code with parallel regions.
   *
   * @param out the list that receives declarations of the variables in the polynomials
   */
  public ParallelTime.Time time(List<Code> code, NameSource names, List<Code> out) {
    return ParallelTime.of(code, names, this, out);
  }

  /**
   * Returns the estimated number of times that statements of a kind are executed.
   *
   * @param which tests whether a statement counts
   */
  public Poly runs(List<Code> code, Predicate<Code> which) {
    return new Cost(this).runs(code, which);
  }

  private static Set<Name> indices(SegSpace space) {
    Set<Name> indices = new HashSet<>();
    for (SegSpace.Dim d : space.dims()) {
      indices.add(d.index());
    }
    return indices;
  }
}
