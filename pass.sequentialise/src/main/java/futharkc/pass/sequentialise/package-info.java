/** The conversion of SOACs to sequential code. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.sequentialise;
