/** Random programs through random passes. */
@org.jspecify.annotations.NullMarked
package futharkc.tests.fuzz;
