/** Generators of random programs, and the runner of golden tests. */
@org.jspecify.annotations.NullMarked
package futharkc.tests.kit;
