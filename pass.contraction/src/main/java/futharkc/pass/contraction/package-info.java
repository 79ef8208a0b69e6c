/** Contraction of products and sums of floats. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.contraction;
