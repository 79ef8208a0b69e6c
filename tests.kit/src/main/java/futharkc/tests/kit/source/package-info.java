/**
 * Random Futhark programs as source text, and the search for a smaller program with the same
 * failure.
 */
@org.jspecify.annotations.NullMarked
package futharkc.tests.kit.source;
