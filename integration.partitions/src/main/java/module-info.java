/**
 * Programs on data in partitions: the operations, their laws, and a runner for the threads and
 * devices of one host.
 */
module futharkc.integration.partitions {
  requires transitive futharkc.core.runtime;
  requires static org.jspecify;

  exports futharkc.integration.partitions;
}
