package futharkc.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The reference of errors and warnings, which the build copies from the documentation. */
final class ErrorReference {
  private static final Pattern CODE = Pattern.compile("[EWew][0-9]{4}");

  private ErrorReference() {}

  /** Tests whether a word has the form of an error's or warning's code. */
  static boolean isCode(String word) {
    return CODE.matcher(word).matches();
  }

  /**
   * Returns the explanation of an error or warning in Markdown, with a program that has the error
   * and a corrected program.
   *
   * @throws UsageException if no error or warning has the code
   */
  static String section(String code) throws IOException {
    String title = "### " + code.toUpperCase(Locale.ROOT) + "\n";
    String text = text();
    int start = text.indexOf("\n" + title);
    if (start < 0) {
      throw new UsageException("There is no error or warning " + code + ".");
    }
    int end = text.length();
    for (String heading : List.of("\n## ", "\n### ")) {
      int next = text.indexOf(heading, start + title.length());
      end = next < 0 ? end : Math.min(end, next);
    }
    return text.substring(start + "\n### ".length(), end).stripTrailing() + "\n";
  }

  private static String text() throws IOException {
    try (InputStream in = ErrorReference.class.getResourceAsStream("errors.md")) {
      if (in == null) {
        throw new IOException("the reference of errors is missing in this build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
