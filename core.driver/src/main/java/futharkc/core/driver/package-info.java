/** The compiler as a library. Begin reading at {@link futharkc.core.driver.Compiler}. */
@org.jspecify.annotations.NullMarked
package futharkc.core.driver;
