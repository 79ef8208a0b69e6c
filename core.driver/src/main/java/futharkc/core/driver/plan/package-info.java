/**
 * Which passes run, and in which order: what the user asked for, the solver, and the plan it finds.
 */
@NullMarked
package futharkc.core.driver.plan;

import org.jspecify.annotations.NullMarked;
