/** Benchmarks and checks of a device and its run time, for a machine with a device. */
@org.jspecify.annotations.NullMarked
package futharkc.benchmarks.device;
