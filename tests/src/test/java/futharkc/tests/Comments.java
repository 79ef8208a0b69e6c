package futharkc.tests;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Comments of Java sources. */
final class Comments {
  /** A text block, a string, a character or a comment, whichever begins first. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"\"\"(?:[^\"\\\\]++|\\\\.|\"(?!\"\"))*+\"\"\"" // text block
              + "|\"(?:[^\\\\\"\n]++|\\\\.)*+\"" // string
              + "|'(?:[^\\\\'\n]|\\\\[^\n])[^'\n]*'" // character
              + "|(?<comment>//[^\n]*|/\\*.*?\\*/)",
          Pattern.DOTALL);

  private Comments() {}

  /**
   * A comment.
   *
   * @param line the line on which it begins, counted from 1
   * @param text its text with the marks
   */
  record Comment(int line, String text) {}

  /** Returns all comments of a source, in their order. */
  static List<Comment> of(String source) {
    List<Comment> comments = new ArrayList<>();
    Matcher m = TOKEN.matcher(source);
    int line = 1;
    int counted = 0;
    while (m.find()) {
      if (m.group("comment") == null) {
        continue;
      }
      for (; counted < m.start(); counted++) {
        if (source.charAt(counted) == '\n') {
          line++;
        }
      }
      comments.add(new Comment(line, m.group()));
    }
    return comments;
  }
}
