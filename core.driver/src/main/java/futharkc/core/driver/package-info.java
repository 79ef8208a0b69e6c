/** The compiler as a program and as a library. */
@org.jspecify.annotations.NullMarked
package futharkc.core.driver;
