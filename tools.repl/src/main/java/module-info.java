/** Evaluation of expressions in the scope of a program, and the interactive session over it. */
module futharkc.tools.repl {
  requires transitive futharkc.core.driver;
  requires org.jline.reader;
  requires org.jline.terminal;
  requires jdk.unsupported;
  requires static org.jspecify;

  exports futharkc.tools.repl;
}
