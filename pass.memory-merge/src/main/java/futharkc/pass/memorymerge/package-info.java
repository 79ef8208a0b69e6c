/** Merges memory blocks. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.memorymerge;
