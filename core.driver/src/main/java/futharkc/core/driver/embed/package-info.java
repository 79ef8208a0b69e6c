/** Compiled programs inside the JVM: entry points called with Java values, and typed bindings. */
@NullMarked
package futharkc.core.driver.embed;

import org.jspecify.annotations.NullMarked;
