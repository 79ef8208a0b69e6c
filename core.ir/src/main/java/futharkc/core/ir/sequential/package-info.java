/** Turning parallel operations of the SOACS representation into loops. */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.sequential;
