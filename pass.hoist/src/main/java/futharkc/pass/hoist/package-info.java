/** What does not vary is computed once: {@link futharkc.pass.hoist.HoistPass}. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.hoist;
