/** The command line of the compiler. */
module futharkc.cli {
  requires futharkc.core.driver;
  requires futharkc.core.runtime;
  requires futharkc.harness;
  requires futharkc.tools.doc;
  requires futharkc.tools.literate;
  requires futharkc.tools.packages;
  requires futharkc.tools.repl;
  requires futharkc.tools.reports;
  requires futharkc.tools.lsp;
  requires com.fasterxml.jackson.core;
  requires info.picocli;
  requires me.tongfei.progressbar;
  requires java.compiler;
  requires static org.jspecify;

  exports futharkc.cli;

  uses futharkc.core.runtime.device.Diagnosis;
}
