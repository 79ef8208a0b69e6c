package futharkc.core.driver.plan;

import futharkc.core.driver.failure.PlanException;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A solver that finds the sequence of passes from a program to a target, based on the passes'
 * declarations.
 *
 * <p>The solver is deterministic: equal passes, selections and targets give equal plans. The steps
 * are:
 *
 * <ol>
 *   <li>The solver finds a shortest path of representations to the target, over enabled passes
 *       where possible.
 *   <li>The solver adds passes that establish a required property but can run only in an earlier
 *       representation.
 *   <li>In each representation, enabled passes run once. Their order follows {@code after} and
 *       {@code before}, then required properties, then the order of naming.
 *   <li>Where a required property does not hold, the solver inserts a pass that establishes the
 *       property, as often as necessary.
 *   <li>At the end, the solver runs passes of the last representation again if their properties
 *       were destroyed and can be restored.
 * </ol>
 */
public final class Solver {
  private final SortedMap<String, PassInfo> available = new TreeMap<>();
  private final PassNames names;

  /** Creates a solver over all known passes, which must have distinct names. */
  public Solver(Collection<PassInfo> passes) {
    names = new PassNames(passes);
    for (PassInfo pass : passes) {
      if (available.put(pass.name(), names.present(pass)) != null) {
        throw new IllegalArgumentException("two passes have the name " + pass.name());
      }
    }
  }

  /**
   * Finds a plan.
   *
   * @param start the state of the program before the first pass
   * @param goal the representation after the last pass
   * @throws PlanException if no plan exists; the message gives the reason
   */
  public Plan solve(State start, Goal goal, PassSelection selection) {
    Enabled enabled = Enabled.of(names.present(selection), available);
    RepPath path = RepPath.find(available.values(), start.rep(), goal, enabled);
    Candidates candidates = Candidates.of(available.values(), enabled, path);
    List<String> mentioned = new ArrayList<>(selection.removed());
    selection.added().forEach(request -> mentioned.add(request.name()));
    return noted(new Schedule(available.values(), enabled, path, candidates).run(start), mentioned);
  }

  /**
   * Returns the plan that consists of the given passes in the given order.
   *
   * @param text the passes with options, separated by commas
   * @throws PlanException if the plan does not lead to the goal, or a pass in it cannot run
   */
  public Plan exactly(String text, State start, Goal goal) {
    List<PassRequest> requests =
        PassListParser.parse(text).stream()
            .map(
                item -> {
                  if (item.sign() != ' ') {
                    throw new PlanException(
                        "A plan is an exact sequence of passes. The entry "
                            + item.sign()
                            + item.request().name()
                            + " is only valid in --passes.");
                  }
                  return item.request();
                })
            .toList();
    Plan plan =
        new Simulation(available)
            .exactly(requests.stream().map(names::present).toList(), start, goal);
    return noted(plan, requests.stream().map(PassRequest::name).toList());
  }

  /** Adds notes about former names of passes to a plan. */
  private Plan noted(Plan plan, List<String> mentioned) {
    List<String> notes = new ArrayList<>(names.notes(mentioned));
    notes.addAll(plan.notes());
    return new Plan(plan.steps(), notes);
  }
}
