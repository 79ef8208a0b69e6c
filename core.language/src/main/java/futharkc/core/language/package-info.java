/**
 * The Futhark language, from source text to the SOACS representation. The packages form a sequence:
 * {@code parser} builds the tree of {@code syntax}; {@code check}, {@code uniqueness} and {@code
 * rules} build and check the tree of {@code typed}; {@code lower} translates it. {@code frontend}
 * runs the phases up to the checked tree.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language;
