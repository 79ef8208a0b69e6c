/** Writing code: operations with the types that they need, sums and sorting. */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.build;
