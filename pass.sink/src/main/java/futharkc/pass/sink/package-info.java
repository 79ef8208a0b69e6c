/** Elements are read where they are needed: {@link futharkc.pass.sink.SinkPass}. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.sink;
