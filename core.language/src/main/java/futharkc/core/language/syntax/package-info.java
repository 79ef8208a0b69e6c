/**
 * The syntax tree as parsed: names unresolved, operators resolved by fixity, every node with its
 * source range.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.syntax;
