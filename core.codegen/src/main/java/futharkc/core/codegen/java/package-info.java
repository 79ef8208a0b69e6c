/** The imperative language as Java source. */
@org.jspecify.annotations.NullMarked
package futharkc.core.codegen.java;
