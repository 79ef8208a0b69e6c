/** What the backends share: lowering to the imperative language and its printers. */
module futharkc.core.codegen {
  requires transitive futharkc.core.ir;
  requires futharkc.core.runtime;
  requires static org.jspecify;

  exports futharkc.core.codegen.java;
  exports futharkc.core.codegen.lower;
}
