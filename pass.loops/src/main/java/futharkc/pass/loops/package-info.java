/**
 * Loops of imperative code: invariant motion, partial accumulators, strip mining, distribution,
 * unroll-and-jam.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.loops;
