/**
 * The checked tree. Names are unique, and modules and type abbreviations are expanded. Every
 * expression has a type with sizes, polymorphic uses are instantiated, operators are resolved, and
 * syntactic sugar is expanded. The packages {@code uniqueness}, {@code rules} and {@code lower}
 * work on it.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.typed;
