/** The fusion pass: {@link futharkc.pass.fusion.FusionPass}. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.fusion;
