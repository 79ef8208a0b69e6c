package futharkc.backend.interpreter;

/** A compiled function, and what its frames are made from. */
record Function(VariableScopes scopes, Lambda code) {}
