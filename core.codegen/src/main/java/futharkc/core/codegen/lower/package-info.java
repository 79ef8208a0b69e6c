/** From the memory representations to the imperative language. */
@org.jspecify.annotations.NullMarked
package futharkc.core.codegen.lower;
