/** The backend for multicore CPUs: Java source with parallel streams. */
@org.jspecify.annotations.NullMarked
package futharkc.backend.multicore;
