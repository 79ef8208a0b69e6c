/** Evaluation of FutharkScript on programs, and pages made of programs and of such values. */
module futharkc.tools.literate {
  requires transitive futharkc.core.driver;
  requires transitive futharkc.harness;
  requires java.desktop;
  requires jdk.httpserver;
  requires org.commonmark;
  requires static org.jspecify;

  exports futharkc.tools.literate;
}
