package futharkc.core.language.parser;

import static futharkc.core.language.grammar.FutharkLexer.*;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.Diagnostics;
import java.util.List;
import org.antlr.v4.runtime.Token;

/**
 * A limit on the nesting depth of brackets and expressions, checked on the tokens. Later phases can
 * therefore recurse over nesting.
 */
final class Nesting {
  /** The greatest accepted nesting depth. */
  static final int LIMIT = 1000;

  private static final int BRACKET = LPAR;

  private int[] open = new int[64];
  private int depth;
  private int deepest;

  private Nesting() {}

  /** Returns the nesting depth. Reports an error if it exceeds {@link #LIMIT}. */
  static int check(List<Token> tokens, String path, Diagnostics sink) {
    var nesting = new Nesting();
    int previous = EOF;
    for (Token token : tokens) {
      nesting.step(token.getType(), previous);
      if (nesting.depth > LIMIT) {
        sink.report(tooDeep(Sources.loc(path, token)));
        return nesting.depth;
      }
      previous = token.getType();
    }
    return nesting.deepest;
  }

  static Diagnostic tooDeep(Loc loc) {
    return Diagnostic.error(
            "E0901", loc, "Nested too deeply: more than " + LIMIT + " levels of nesting.")
        .hint("Bind nested expressions to names with let or def.");
  }

  private void step(int type, int previous) {
    switch (type) {
      case LPAR, LBRACKET, INDEXING, LCURLY, HASH_LBRACKET -> push(BRACKET);
      case RPAR, RBRACKET, RCURLY -> {
        popTo(BRACKET);
        pop();
      }
      case IF, LOOP, MATCH, BACKSLASH -> push(type);
      case ELSE -> {
        popTo(IF);
        pop();
      }
      case DO -> {
        popTo(LOOP);
        pop();
      }
      case CASE -> popTo(MATCH);
      case COMMA -> popTo(BRACKET);
      case LET -> {
        if (endsExpression(previous)) {
          popTo(LET);
        }
        if (!isOpen(LET) || !endsExpression(previous)) {
          push(LET);
        }
      }
      case IN -> {
        while (isOpen(IF) || isOpen(MATCH) || isOpen(BACKSLASH)) {
          depth--;
        }
        if (isOpen(LET)) {
          pop();
        }
      }
      case DEF, ENTRY, TYPE, MODULE, OPEN, IMPORT, LOCAL, VAL, INCLUDE -> popTo(BRACKET);
      default -> {}
    }
  }

  private boolean isOpen(int type) {
    return depth > 0 && open[depth - 1] == type;
  }

  private void push(int type) {
    if (depth == open.length) {
      open = java.util.Arrays.copyOf(open, 2 * depth);
    }
    open[depth++] = type;
    deepest = Math.max(deepest, depth);
  }

  private void pop() {
    if (depth > 0) {
      depth--;
    }
  }

  /**
   * Closes the open constructs inside the innermost construct of a type within the current
   * brackets.
   */
  private void popTo(int type) {
    int i = depth;
    while (i > 0 && open[i - 1] != type && open[i - 1] != BRACKET) {
      i--;
    }
    boolean found = i > 0 && open[i - 1] == type;
    if (found || type == LET || type == BRACKET) {
      depth = i;
    }
  }

  private static boolean endsExpression(int type) {
    return switch (type) {
      case ID, NAT, INT, FLOAT, CHAR, STRING, TRUE, FALSE, HOLE, CONSTRUCTOR, CONSTANT_ARRAY ->
          true;
      case RPAR, RBRACKET, RCURLY -> true;
      default -> false;
    };
  }
}
