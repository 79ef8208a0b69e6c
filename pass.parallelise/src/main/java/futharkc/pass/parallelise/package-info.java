/** The parallelise pass. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.parallelise;
