/** Runs the tests and benchmarks that programs' comments describe, in worker processes. */
module futharkc.harness {
  requires transitive futharkc.core.driver;
  requires static org.jspecify;

  exports futharkc.harness;
  exports futharkc.harness.testing;
}
