/**
 * Runs a plan: passes in parallel over functions, with verification, timing, remarks and crash
 * reports.
 */
@NullMarked
package futharkc.core.driver.pipeline;

import org.jspecify.annotations.NullMarked;
