package futharkc.core.language.parser;

import futharkc.core.language.grammar.FutharkParser;
import java.util.List;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;

/**
 * A token for a long array literal of constants, so that a table of a million numbers needs no
 * parse tree.
 */
final class ConstantArray extends CommonToken {
  private static final long serialVersionUID = 1;

  private final transient List<Token> tokens;

  /**
   * Creates a token from the tokens of a literal, from the opening to the matching closing bracket.
   */
  ConstantArray(List<Token> tokens) {
    super(tokens.getFirst());
    this.tokens = tokens;
    setType(FutharkParser.CONSTANT_ARRAY);
    setStopIndex(tokens.getLast().getStopIndex());
  }

  List<Token> tokens() {
    return tokens;
  }

  Token last() {
    return tokens.getLast();
  }
}
