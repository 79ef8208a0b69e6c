/** Liveness-based elimination of dead code. */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.liveness;
