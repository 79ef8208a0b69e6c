/** Double buffering of loops. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.doublebuffer;
