/** Documentation of libraries as web pages. */
module futharkc.tools.doc {
  requires transitive futharkc.core.driver;
  requires org.commonmark;
  requires static org.jspecify;

  exports futharkc.tools.doc;
}
