/** The pass that has thread blocks keep in shared memory what they read in loops. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.staging;
