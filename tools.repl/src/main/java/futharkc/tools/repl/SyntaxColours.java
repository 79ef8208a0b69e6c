package futharkc.tools.repl;

import futharkc.core.language.Diagnostics;
import futharkc.core.language.parser.SourceToken;
import org.jline.reader.Highlighter;
import org.jline.reader.LineReader;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/** Colours for keywords, literals and comments in the line that a user edits. */
final class SyntaxColours implements Highlighter {
  private static final AttributedStyle KEYWORD =
      AttributedStyle.BOLD.foreground(AttributedStyle.BLUE);
  private static final AttributedStyle LITERAL =
      AttributedStyle.DEFAULT.foreground(AttributedStyle.CYAN);
  private static final AttributedStyle CONSTRUCTOR =
      AttributedStyle.DEFAULT.foreground(AttributedStyle.MAGENTA);

  @Override
  public AttributedString highlight(LineReader reader, String buffer) {
    AttributedStringBuilder styled = new AttributedStringBuilder();
    if (buffer.startsWith(":")) {
      return styled.append(buffer).toAttributedString();
    }
    int[] starts = lineStarts(buffer);
    int end = 0;
    for (SourceToken token : SourceToken.scan("input", buffer, new Diagnostics())) {
      int from = starts[token.loc().line() - 1] + token.loc().column() - 1;
      int to = Math.min(buffer.length(), from + token.text().length());
      if (from < end || from >= to) {
        continue;
      }
      styled.append(buffer.substring(end, from));
      styled.styled(style(token), buffer.substring(from, to));
      end = to;
    }
    return styled.append(buffer.substring(end)).toAttributedString();
  }

  private static int[] lineStarts(String text) {
    int[] starts = new int[1 + (int) text.chars().filter(c -> c == '\n').count()];
    int line = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\n') {
        starts[++line] = i + 1;
      }
    }
    return starts;
  }

  private static AttributedStyle style(SourceToken token) {
    return switch (token.kind()) {
      case "NAT", "INT", "FLOAT", "CHAR", "STRING", "TRUE", "FALSE" -> LITERAL;
      case "CONSTRUCTOR" -> CONSTRUCTOR;
      case "ID" -> AttributedStyle.DEFAULT;
      default -> Character.isLetter(token.text().charAt(0)) ? KEYWORD : AttributedStyle.DEFAULT;
    };
  }
}
