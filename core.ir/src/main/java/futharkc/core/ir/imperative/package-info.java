/**
 * The imperative language that memory representations are lowered to: statements over scalars and
 * memory blocks. Printers turn it into Java and kernels.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.imperative;
