package futharkc.core.driver.plan;

import futharkc.core.driver.failure.PlanException;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A simulation of a sequence of passes. It computes states from the passes' declarations. */
final class Simulation {
  private final Map<String, PassInfo> available;

  Simulation(Map<String, PassInfo> available) {
    this.available = available;
  }

  /**
   * Returns the plan that runs exactly the given passes.
   *
   * @throws PlanException with all errors: unknown passes, representations that a pass does not
   *     accept, missing properties
   */
  Plan exactly(List<PassRequest> requests, State start, Goal goal) {
    List<String> wrong = new ArrayList<>();
    List<Plan.Step> steps = new ArrayList<>();
    State state = start;
    for (int i = 0; i < requests.size(); i++) {
      PassRequest request = requests.get(i);
      PassInfo pass = available.get(request.name());
      String where = "Step " + (i + 1) + ", " + request.name() + ": ";
      if (pass == null) {
        wrong.add(where + Wording.unknownPass(request.name(), available.keySet()));
        continue;
      }
      PassOptions.check(pass, request);
      if (!pass.accepts().contains(state.rep())) {
        wrong.add(
            where
                + "the pass accepts "
                + Wording.list(pass.accepts().stream().sorted().toList())
                + ", but the program is in "
                + state.rep()
                + ".");
        // The remaining steps would only report consequences of this error.
        throw new PlanException(message(wrong));
      }
      for (Property property : state.missing(pass.requires())) {
        wrong.add(where + missing(property));
      }
      State next = state.after(pass);
      steps.add(new Plan.Step(request, state, next, "given in the plan"));
      state = next;
    }
    if (state.rep() != goal.rep()) {
      wrong.add(
          "The end: "
              + goal.name()
              + " needs "
              + goal.rep()
              + ", but the plan leads to "
              + state.rep()
              + ".");
    }
    if (!wrong.isEmpty()) {
      throw new PlanException(message(wrong));
    }
    return new Plan(steps, List.of());
  }

  private String missing(Property property) {
    String who =
        available.values().stream()
            .filter(p -> p.establishes().contains(property))
            .map(PassInfo::name)
            .collect(Collectors.joining(" or "));
    return "the pass requires the property '"
        + property
        + "', which does not hold"
        + (who.isEmpty() ? " and which no pass establishes." : "; put " + who + " before it.");
  }

  private static String message(List<String> wrong) {
    return "The plan is invalid:\n  " + String.join("\n  ", wrong);
  }
}
