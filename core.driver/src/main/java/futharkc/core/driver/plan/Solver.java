package futharkc.core.driver.plan;

import futharkc.core.driver.failure.PlanException;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds the sequence of passes that leads from a program to a target, from what the passes declare.
 *
 * <p>It is deterministic: the same passes, selection and target give the same plan. In short:
 *
 * <ol>
 *   <li>The representations to go through are those of a shortest way to the target, over enabled
 *       passes where possible.
 *   <li>Passes that establish what another one requires, but can do so only in an earlier
 *       representation, are added.
 *   <li>In each representation, enabled passes run once, ordered by {@code after} and {@code
 *       before}, by who establishes what another one requires, and then by the order in which they
 *       were named.
 *   <li>Where a required property does not hold, because it never has or because it was destroyed,
 *       a pass that establishes it is put in front, as often as that happens.
 *   <li>What enabled passes establish in the last representation holds in the end, where that is
 *       possible.
 * </ol>
 */
public final class Solver {
  private final SortedMap<String, PassInfo> available = new TreeMap<>();
  private final PassNames names;

  /** A solver over all known passes, whose names differ. */
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
   * @param start what there is
   * @param goal what there must be in the end
   * @throws PlanException if there is none; the message says why
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
   * The plan that consists of the given passes in the given order.
   *
   * @param text passes with options, separated by commas
   * @throws PlanException if it does not lead to the goal, or a pass in it cannot run
   */
  public Plan exactly(String text, State start, Goal goal) {
    List<PassRequest> requests =
        PassListParser.parse(text).stream()
            .map(
                item -> {
                  if (item.sign() != ' ') {
                    throw new PlanException(
                        "A plan is an exact sequence: "
                            + item.sign()
                            + item.request().name()
                            + " has no meaning in it.");
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
