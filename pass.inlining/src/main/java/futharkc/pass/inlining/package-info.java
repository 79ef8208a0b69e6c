/** Inlining. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.inlining;
