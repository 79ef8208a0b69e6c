/**
 * The Futhark language: grammar, syntax tree, type checking, and lowering to the first
 * representation.
 */
module futharkc.core.language {
  requires transitive futharkc.core.ir;
  requires static org.jspecify;
  requires org.antlr.antlr4.runtime;

  exports futharkc.core.language;
  exports futharkc.core.language.format;
  exports futharkc.core.language.frontend;
  exports futharkc.core.language.index;
  exports futharkc.core.language.parser;
  exports futharkc.core.language.lower;
  exports futharkc.core.language.syntax;
  exports futharkc.core.language.typed;
}
