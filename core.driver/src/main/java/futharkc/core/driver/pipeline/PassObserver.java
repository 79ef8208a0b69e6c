package futharkc.core.driver.pipeline;

import futharkc.core.driver.plan.Plan;
import futharkc.core.ir.Ir;

/** Is told of a program's way through the passes. */
@FunctionalInterface
public interface PassObserver {
  /**
   * A pass has run, and the verifier has found nothing wrong.
   *
   * @param index the step's position in the plan
   */
  void after(int index, Plan.Step step, Ir program);
}
