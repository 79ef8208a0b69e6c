package futharkc.tools.literate;

/** A part of a literate program. The text of a part ends in a line break unless it is empty. */
sealed interface LiterateBlock {
  /** Definitions or a test block. The text is empty for blank lines between comments. */
  record Code(String text) implements LiterateBlock {}

  /** A comment without its comment marks: Markdown. */
  record Prose(String text) implements LiterateBlock {}

  /**
   * A directive.
   *
   * @param text the directive without its comment marks
   */
  record Evaluation(Directive directive, String text) implements LiterateBlock {}
}
