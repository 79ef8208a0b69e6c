/** The pass that moves reads of elements into branches: {@link futharkc.pass.sink.SinkPass}. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.sink;
