/** What backends implement. */
@org.jspecify.annotations.NullMarked
package futharkc.core.codegen;
