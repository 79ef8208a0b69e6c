/** Forward and reverse differentiation. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.differentiation;
