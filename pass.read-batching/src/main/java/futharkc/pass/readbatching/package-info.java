/**
 * Passes that shorten the waits of the host: {@link futharkc.pass.readbatching.ReadPackingPass},
 * {@link futharkc.pass.readbatching.ReadBatchingPass}, {@link
 * futharkc.pass.readbatching.SpeculativeLaunchPass}.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.readbatching;
