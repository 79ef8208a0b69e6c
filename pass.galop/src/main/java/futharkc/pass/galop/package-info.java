/** The pass {@code galop}: {@link futharkc.pass.galop.GalopPass}. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.galop;
