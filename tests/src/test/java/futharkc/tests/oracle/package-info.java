/**
 * A reference interpreter of the checked syntax tree. It shares no code with the compiler phases
 * after the type checker. The interpreter is small, slow and simple. Values are trees, no update is
 * in place, functions are closures, and integers are unbounded until they are truncated to their
 * type.
 */
@org.jspecify.annotations.NullMarked
package futharkc.tests.oracle;
