/** Tests of random passes on random programs. */
@org.jspecify.annotations.NullMarked
package futharkc.tests.fuzz;
