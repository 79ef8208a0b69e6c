/** The generated pages of {@code docs/reference}, and the tests that keep them current. */
@org.jspecify.annotations.NullMarked
package futharkc.tests.reference;
