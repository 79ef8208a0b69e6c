/** The interpreter of all representations, the reference of all tests. */
module futharkc.backend.interpreter {
  requires futharkc.core.codegen;
  requires transitive futharkc.core.ir;
  requires transitive futharkc.core.runtime;
  requires static org.jspecify;

  exports futharkc.backend.interpreter;

  provides futharkc.core.codegen.Backend with
      futharkc.backend.interpreter.InterpreterBackend;
}
