/** Construction of IR: an emitter with types, arithmetic at any type, sums and sorting. */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.build;
