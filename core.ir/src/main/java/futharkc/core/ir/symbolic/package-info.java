/** Reasoning about integer expressions whose variables have known bounds. */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.symbolic;
