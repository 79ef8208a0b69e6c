/** Evaluates every representation: the oracle of all tests. */
@org.jspecify.annotations.NullMarked
package futharkc.backend.interpreter;
