package futharkc.tests.kit.source;

import org.jspecify.annotations.Nullable;

/**
 * A statement that binds a pattern to an expression.
 *
 * @param value the bound expression
 */
record Binding(String pattern, Tree value) {
  /** A generator of one kind of statement; it returns null if the scope lacks an operand. */
  interface Form {
    @Nullable Binding make(SourceScope s, int depth);
  }
}
