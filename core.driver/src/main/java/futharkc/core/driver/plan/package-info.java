/**
 * The choice and order of passes. Begin reading at {@link futharkc.core.driver.plan.Solver}.
 *
 * <ul>
 *   <li>Input: {@code PassSelection} ({@code --passes}), {@code PassRequest} (a pass with options),
 *       {@code PassListParser} (their syntax), {@code PassOptions} (values of options), {@code
 *       Enabled} (the passes that a selection enables), {@code Goal}, {@code PassNames} (former
 *       names).
 *   <li>Search: {@code RepPath} (representations to the target), {@code Candidates} (passes that
 *       must run), {@code Ordering} (constraints between passes), {@code Schedule} (builds the
 *       plan), {@code Simulation} (checks a given plan).
 *   <li>Result: {@code Plan}, {@code State} (representation and properties between two passes).
 *   <li>Text: {@code PassCatalogue} generates {@code docs/passes.md}, {@code Wording} has phrases
 *       of messages.
 * </ul>
 *
 * <p>Every message about a plan must name the passes involved and a remedy. Nothing here may depend
 * on the order of a hash table: equal input gives equal plans.
 */
@NullMarked
package futharkc.core.driver.plan;

import org.jspecify.annotations.NullMarked;
