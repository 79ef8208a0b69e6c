/** What can go wrong in the compiler, for all that embed it. */
@org.jspecify.annotations.NullMarked
package futharkc.core.driver.failure;
