package futharkc.core.driver.pipeline;

import futharkc.core.driver.plan.Plan;
import futharkc.core.ir.Ir;

/** An observer of a program between passes. */
@FunctionalInterface
public interface PassObserver {
  /**
   * Observes the program after a pass, after the verifier has accepted the program.
   *
   * @param index the step's position in the plan
   */
  void after(int index, Plan.Step step, Ir program);
}
