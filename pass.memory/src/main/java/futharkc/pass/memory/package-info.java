/** The memory pass. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.memory;
