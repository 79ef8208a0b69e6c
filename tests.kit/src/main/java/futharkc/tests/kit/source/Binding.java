package futharkc.tests.kit.source;

import org.jspecify.annotations.Nullable;

/**
 * A statement: a binding of a pattern.
 *
 * @param value what is bound
 */
record Binding(String pattern, Tree value) {
  /** A way to make a statement; it makes none if it lacks operands. */
  interface Form {
    @Nullable Binding make(SourceScope s, int depth);
  }
}
