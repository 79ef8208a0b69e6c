package futharkc.core.language.parser;

import futharkc.core.ir.Loc;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.Interval;

/** The source ranges and texts of tokens in one file. */
record Sources(String path, CharStream text) {
  Loc loc(Token token) {
    return loc(path, token);
  }

  Loc loc(ParserRuleContext context) {
    return loc(context.getStart(), context.getStop());
  }

  Loc loc(Token first, Token last) {
    return loc(path, first, last);
  }

  static Loc loc(String path, Token token) {
    return loc(path, token, token);
  }

  static Loc loc(String path, Token first, Token last) {
    Token end = last instanceof ConstantArray array ? array.last() : last;
    int length = Math.max(0, end.getStopIndex() - end.getStartIndex() + 1);
    return new Loc(
        path,
        first.getLine(),
        first.getCharPositionInLine() + 1,
        end.getLine(),
        end.getCharPositionInLine() + length + 1);
  }

  /** Returns the source text of a range, with every run of white space as one space. */
  String textOf(ParserRuleContext context) {
    Token last = context.getStop();
    return text.getText(Interval.of(context.getStart().getStartIndex(), last.getStopIndex()))
        .replaceAll("\\s+", " ");
  }
}
