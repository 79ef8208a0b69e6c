/** What of a program is needed, and how the rest is taken away. */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.liveness;
