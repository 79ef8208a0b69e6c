/** Random Futhark programs as source text, and the search for smaller ones that fail alike. */
@org.jspecify.annotations.NullMarked
package futharkc.tests.kit.source;
