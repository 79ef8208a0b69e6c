package futharkc.backend.interpreter;

/** A compiled function and the layout of its frames. */
record Function(VariableScopes scopes, CompiledLambda code) {}
