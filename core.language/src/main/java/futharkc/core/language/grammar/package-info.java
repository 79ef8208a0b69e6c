/** The lexer and parser that ANTLR generates from the grammar. */
@org.jspecify.annotations.NullUnmarked
package futharkc.core.language.grammar;
