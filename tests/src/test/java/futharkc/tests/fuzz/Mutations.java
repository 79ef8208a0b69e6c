package futharkc.tests.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Random small changes of source text: of tokens and of bytes. */
final class Mutations {
  private static final Pattern TOKEN =
      Pattern.compile("--[^\\n]*|\\s+|\"[^\"\\n]*\"|[\\w.']+|[-+*/%<>=!&|^~]+|.", Pattern.DOTALL);

  private static final List<String> EXTRA =
      List.of(
          "(",
          ")",
          "[",
          "]",
          "{",
          "}",
          "let",
          "in",
          "if",
          "then",
          "else",
          "match",
          "case",
          "loop",
          "for",
          "do",
          "while",
          "with",
          "def",
          "type",
          "module",
          "open",
          "import",
          "entry",
          "->",
          "=",
          ":",
          ":>",
          "..",
          "..<",
          "...",
          "#[",
          "#x",
          "'",
          "'a",
          "^",
          "~",
          "*",
          "\\",
          ",",
          "-",
          ".",
          "?",
          "`",
          "|>",
          "<|",
          "_",
          "0",
          "1i64",
          "0x",
          "1e999",
          "1f16",
          "-1",
          "x",
          "n",
          "i64",
          "assert",
          "true",
          "'\\n'",
          "\"",
          "@",
          "$",
          "\u00e9",
          "\ud83d\ude00",
          "\u0000",
          "99999999999");

  private Mutations() {}

  static List<String> tokens(String text) {
    List<String> out = new ArrayList<>();
    Matcher m = TOKEN.matcher(text);
    while (m.find()) {
      out.add(m.group());
    }
    return out;
  }

  /** Returns a text with a few changes. */
  static String mutate(String text, Random random) {
    if (text.isEmpty() || random.nextInt(12) == 0) {
      return bytes(text, random);
    }
    List<String> tokens = tokens(text);
    for (int n = 1 + random.nextInt(3); n > 0 && !tokens.isEmpty(); n--) {
      int at = random.nextInt(tokens.size());
      int other = random.nextInt(tokens.size());
      int to = Math.min(tokens.size(), at + 1 + random.nextInt(random.nextInt(20) + 1));
      switch (random.nextInt(7)) {
        case 0 -> tokens.subList(at, to).clear();
        case 1 -> tokens.addAll(other, List.copyOf(tokens.subList(at, to)));
        case 2 -> tokens.set(at, tokens.set(other, tokens.get(at)));
        case 3 -> tokens.add(at, " " + EXTRA.get(random.nextInt(EXTRA.size())) + " ");
        case 4 -> tokens.set(at, EXTRA.get(random.nextInt(EXTRA.size())));
        case 5 -> tokens.set(at, tokens.get(other));
        default -> tokens.remove(at);
      }
    }
    return String.join("", tokens);
  }

  private static String bytes(String text, Random random) {
    StringBuilder out = new StringBuilder(text);
    for (int n = 1 + random.nextInt(8); n > 0; n--) {
      int at = random.nextInt(out.length() + 1);
      char c = (char) (random.nextInt(4) == 0 ? random.nextInt(0x10000) : random.nextInt(128));
      if (random.nextBoolean() && at < out.length()) {
        out.setCharAt(at, c);
      } else {
        out.insert(at, c);
      }
    }
    return random.nextInt(10) == 0
        ? out.substring(0, random.nextInt(out.length() + 1))
        : out.toString();
  }
}
