/** The fusion pass. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.fusion;
