package futharkc.tools.literate;

import futharkc.harness.testing.ScriptExp;
import java.util.Map;

/**
 * A directive: the request to show the value of an expression.
 *
 * @param form how the value is shown
 * @param prompt how the directive itself is shown
 * @param expression the expression
 * @param parameters the lines {@code key: value} after the expression, in order
 * @param script the lines after the expression of {@code :gnuplot}; empty for other forms
 */
record Directive(
    Form form, Prompt prompt, ScriptExp expression, Map<String, String> parameters, String script) {
  /** The forms of values on a page. */
  enum Form {
    /** The text of the value. */
    TEXT(""),
    /** An image. */
    IMAGE("img"),
    /** Curves in a coordinate system. */
    PLOT("plot2d"),
    /** An image that a script for the program gnuplot draws. */
    GNUPLOT("gnuplot"),
    /** A video. */
    VIDEO("video"),
    /** A sound. */
    AUDIO("audio");

    private final String word;

    Form(String word) {
      this.word = word;
    }

    /** Returns the word after the colon; empty for {@link #TEXT}. */
    String word() {
      return word;
    }
  }

  /** The ways to show a directive on the page. */
  enum Prompt {
    /** The whole text. */
    FULL,
    /** The text without parameters. */
    BRIEF,
    /** Nothing. */
    COVERT
  }

  /** Returns the directive on one line, without parameters. */
  String brief() {
    return (form == Form.TEXT ? "> " : "> :" + form.word() + " ") + expression.text();
  }
}
