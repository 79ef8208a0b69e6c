package futharkc.core.driver.plan;

import futharkc.core.ir.Rep;

/**
 * The destination of a plan.
 *
 * @param name the origin of the goal in messages, such as a target
 * @param rep the representation at the end of the plan
 */
public record Goal(String name, Rep rep) {}
