/** The conversion of SOACs to parallel operations on CPU cores. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.parallelise;
