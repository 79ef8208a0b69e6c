/** Passes on what thread blocks keep in shared memory. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.staging;
