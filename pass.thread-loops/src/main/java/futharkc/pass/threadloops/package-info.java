/** The pass that turns second-order operations of GPU threads into loops. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.threadloops;
