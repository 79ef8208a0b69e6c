/** What does not vary is computed once: {@link futharkc.pass.simplify.hoist.HoistPass}. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.simplify.hoist;
