/** The pass that turns nested parallelism into flat parallelism. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.flattening;
