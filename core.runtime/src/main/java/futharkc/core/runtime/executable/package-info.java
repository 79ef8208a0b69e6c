/** How a compiled program behaves as an executable: its options, and the server protocol. */
@org.jspecify.annotations.NullMarked
package futharkc.core.runtime.executable;
