/** The pass {@code read-batching}: {@link futharkc.pass.readbatching.ReadBatchingPass}. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.readbatching;
