/** Saying where arrays are in memory. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.allocate;
