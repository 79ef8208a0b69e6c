/** The Futhark language: from source text to the first representation. */
@org.jspecify.annotations.NullMarked
package futharkc.core.language;
