/** Generators of programs, and the runner of golden files. */
@org.jspecify.annotations.NullMarked
package futharkc.tests.kit;
