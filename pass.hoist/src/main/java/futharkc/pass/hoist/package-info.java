/** Hoisting of invariant computations: {@link futharkc.pass.hoist.HoistPass}. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.hoist;
