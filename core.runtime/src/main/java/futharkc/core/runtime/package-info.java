/** What a compiled program carries. */
@org.jspecify.annotations.NullMarked
package futharkc.core.runtime;
