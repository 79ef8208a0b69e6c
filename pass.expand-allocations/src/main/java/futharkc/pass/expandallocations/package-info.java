/** Moving allocations out of threads and thread blocks. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.expandallocations;
