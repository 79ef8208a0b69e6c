/**
 * The checked program: names unique, modules and type abbreviations gone, every expression typed
 * with sizes, polymorphic uses instantiated, operators resolved, sections and other sugar expanded.
 * The consumption and exhaustiveness checks and the lowering work on it.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.typed;
