/**
 * Checks on the checked tree, one a class: exhaustive matches, recursion, entry points, unused
 * names.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.rules;
