/** Compiled programs inside the JVM: calls of entry points with Java values, and typed bindings. */
@NullMarked
package futharkc.core.runtime.embed;

import org.jspecify.annotations.NullMarked;
