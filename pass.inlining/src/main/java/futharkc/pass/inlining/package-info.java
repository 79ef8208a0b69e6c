/** The inlining pass. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.inlining;
