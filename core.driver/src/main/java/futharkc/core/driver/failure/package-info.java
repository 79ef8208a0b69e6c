/** The failures of the compiler, for programs that embed it. */
@org.jspecify.annotations.NullMarked
package futharkc.core.driver.failure;
