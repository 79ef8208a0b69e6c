/** The text and binary formats of Futhark values. */
@org.jspecify.annotations.NullMarked
package futharkc.core.runtime.data;
