/**
 * Checks on the checked tree, one per class: exhaustive matches, recursion, entry points, unused
 * names, derivatives.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.rules;
