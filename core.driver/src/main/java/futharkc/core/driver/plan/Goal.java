package futharkc.core.driver.plan;

import futharkc.core.ir.Rep;

/**
 * Where a plan has to lead.
 *
 * @param name who wants it, for messages: a target
 * @param rep the representation
 */
public record Goal(String name, Rep rep) {}
