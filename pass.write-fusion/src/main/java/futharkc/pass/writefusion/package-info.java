/** The write fusion pass: {@link futharkc.pass.writefusion.WriteFusionPass}. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.writefusion;
