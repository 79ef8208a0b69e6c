/** The language server, which editors use. */
module futharkc.tools.lsp {
  requires com.google.gson;
  requires futharkc.core.driver;
  requires futharkc.tools.repl;
  requires org.eclipse.lsp4j;
  requires org.eclipse.lsp4j.jsonrpc;
  requires static org.jspecify;

  exports futharkc.tools.lsp;

  opens futharkc.tools.lsp to
      org.eclipse.lsp4j.jsonrpc;
}
