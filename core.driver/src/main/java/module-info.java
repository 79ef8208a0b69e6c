/** The compiler as a library: plugin discovery, pipeline solver, compile and embedding API. */
module futharkc.core.driver {
  requires transitive futharkc.core.codegen;
  requires transitive futharkc.core.ir;
  requires transitive futharkc.core.language;
  requires transitive futharkc.core.runtime;
  requires static org.jspecify;

  uses futharkc.core.ir.spi.Pass;
  uses futharkc.core.codegen.Backend;

  exports futharkc.core.driver;
  exports futharkc.core.driver.failure;
  exports futharkc.core.driver.pipeline;
  exports futharkc.core.driver.plan;
  exports futharkc.core.driver.plugin;
}
