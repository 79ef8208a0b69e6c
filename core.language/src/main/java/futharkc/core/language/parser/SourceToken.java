package futharkc.core.language.parser;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.grammar.FutharkLexer;
import java.util.List;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;

/**
 * A token of a file. White space and ordinary comments are no tokens.
 *
 * @param kind the name of the token's class in the grammar, such as {@code ID} or {@code LPAR}
 * @param text the text of the token
 * @param loc the source range of the token
 */
public record SourceToken(String kind, String text, Loc loc) {
  /** The kind of a documentation comment. */
  public static final String DOC = FutharkLexer.VOCABULARY.getSymbolicName(FutharkLexer.DOC);

  /**
   * Returns the tokens of a file.
   *
   * @param path the path shown in messages
   * @param text the text of the whole file
   * @param sink the collector of lexical errors
   */
  public static List<SourceToken> scan(String path, String text, Diagnostics sink) {
    return TokenScanner.tokens(CharStreams.fromString(text, path), path, sink).stream()
        .filter(token -> token.getType() != Token.EOF)
        .map(
            token ->
                new SourceToken(
                    FutharkLexer.VOCABULARY.getSymbolicName(token.getType()),
                    token.getText(),
                    Sources.loc(path, token)))
        .toList();
  }
}
