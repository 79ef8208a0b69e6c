/** What a device and the run time on it can do, on a machine that has one. */
@org.jspecify.annotations.NullMarked
package futharkc.benchmarks.device;
