/**
 * Compiled programs: Java source that is compiled in process, loaded, or packed into an executable.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.codegen.product;
