/** Translation of parallel operations in the SOACS representation to loops. */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.sequential;
