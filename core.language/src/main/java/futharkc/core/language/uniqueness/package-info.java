/** Checks that nothing is used after it has been consumed: aliases, consumption, unique results. */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.uniqueness;
