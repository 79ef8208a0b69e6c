/**
 * What the backends share: the imperative program that memory representations lower to, and its
 * emitters.
 */
module futharkc.core.codegen {
  requires transitive futharkc.core.ir;
  requires futharkc.core.runtime;
  requires static org.jspecify;

  exports futharkc.core.codegen;
  exports futharkc.core.codegen.java;
  exports futharkc.core.codegen.lower;
}
