package futharkc.core.language.parser;

import futharkc.core.language.Diagnostics;
import futharkc.core.language.grammar.FutharkParser.DecContext;
import java.util.List;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/**
 * The parse tree of a file, with all its tokens. Other modules have no access to the classes of the
 * grammar and use the syntax tree.
 *
 * @param tokens the tokens, ending with the end-of-file token; a long array of constants is one
 *     token
 * @param doc the documentation comment of the file, or null
 * @param decs the declarations
 */
public record ParseTree(List<Token> tokens, @Nullable Token doc, List<DecContext> decs) {
  public ParseTree {
    tokens = List.copyOf(tokens);
    decs = List.copyOf(decs);
  }

  /**
   * Parses a file.
   *
   * @param path the path shown in messages
   * @param text the text of the whole file
   * @param sink the collector of syntax errors; after an error, the result lacks declarations
   */
  public static ParseTree of(String path, String text, Diagnostics sink) {
    return Parser.parseTree(path, text, sink);
  }

  /** Returns the tokens of a token, which are several for a long array of constants. */
  public static List<Token> tokensOf(Token token) {
    return token instanceof ConstantArray array ? array.tokens() : List.of(token);
  }
}
