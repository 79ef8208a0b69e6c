package futharkc.core.language.format;

import futharkc.core.language.parser.ParseTree;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/**
 * A range of source text.
 *
 * @param start the offset of the first character, in code points
 * @param line the first line, counted from 1
 * @param column the column of the first character, counted from 0
 * @param end the offset after the last character
 * @param endLine the last line
 */
record Span(int start, int line, int column, int end, int endLine) {
  static Span of(Token first, Token last) {
    return new Span(
        first.getStartIndex(),
        first.getLine(),
        first.getCharPositionInLine(),
        last.getStopIndex() + 1,
        endLine(last));
  }

  private static int endLine(Token token) {
    Token last = ParseTree.tokensOf(token).getLast();
    return last.getLine() + (int) last.getText().chars().filter(c -> c == '\n').count();
  }

  static Span of(Token token) {
    return of(token, token);
  }

  static Span of(ParserRuleContext context) {
    return of(context.getStart(), context.getStop());
  }

  /** Returns the range from the start of this range to the end of another. */
  Span to(Span last) {
    return new Span(start, line, column, last.end, last.endLine);
  }

  /** Returns the empty range at the start of this range. */
  Span first() {
    return new Span(start, line, column, start, line);
  }

  /** Tests whether the range covers more than one line. */
  boolean isMultiLine() {
    return line != endLine;
  }

  /** Tests whether another range begins on the line after this range. */
  boolean isRightBefore(Span next) {
    return endLine + 1 == next.line;
  }
}
