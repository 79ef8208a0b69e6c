/** The interface that backends implement, and the identifiers and text that all printers share. */
@org.jspecify.annotations.NullMarked
package futharkc.core.codegen;
