/**
 * Test support for several modules: generators of random programs, and the runner of golden tests.
 */
module futharkc.tests.kit {
  requires transitive futharkc.core.ir;
  requires static org.jspecify;
  requires transitive org.junit.jupiter.api;

  exports futharkc.tests.kit;
  exports futharkc.tests.kit.arrays;
  exports futharkc.tests.kit.source;
}
