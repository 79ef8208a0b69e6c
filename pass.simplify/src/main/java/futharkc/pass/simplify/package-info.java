/** The simplify pass. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.simplify;
