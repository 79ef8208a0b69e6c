/**
 * Typed Java classes for the entry points of programs. {@link
 * futharkc.core.codegen.binding.BindingWriter} writes their source.
 */
@NullMarked
package futharkc.core.codegen.binding;

import org.jspecify.annotations.NullMarked;
