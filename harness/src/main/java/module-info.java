/** The execution of the tests and benchmarks in programs' comments, in worker processes. */
module futharkc.harness {
  requires transitive futharkc.core.driver;
  requires static org.jspecify;

  exports futharkc.harness;
  exports futharkc.harness.testing;
}
