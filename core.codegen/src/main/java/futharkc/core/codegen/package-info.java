/** What the backends share. */
@org.jspecify.annotations.NullMarked
package futharkc.core.codegen;
