/** From SOACs to sequential code. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.sequentialise;
