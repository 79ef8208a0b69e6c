/** The command line. */
module futharkc.cli {
  requires futharkc.core.driver;
  requires futharkc.harness;
  requires com.fasterxml.jackson.core;
  requires info.picocli;
  requires me.tongfei.progressbar;
  requires static org.jspecify;

  exports futharkc.cli;
}
