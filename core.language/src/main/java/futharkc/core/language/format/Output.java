package futharkc.core.language.format;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text that the formatter writes. It keeps the current layout, the indentation, and the
 * comments that are not yet written.
 */
final class Output {
  /** The indentation of a nested construct, in columns. */
  private static final int INDENT = 2;

  private final StringBuilder out = new StringBuilder();
  private final List<Comment> comments;
  private int nextComment;

  /** The column of the next character, counted from 0. */
  private int column;

  /** The spaces before the next character. Spaces at the end of a line are never written. */
  private int spaces;

  /** The column at which new lines begin. */
  private int nesting;

  /** True if constructs get one line for each of their components. */
  private boolean multiLine = true;

  Output(List<Comment> comments) {
    this.comments = comments;
  }

  @Override
  public String toString() {
    return out.toString();
  }

  // Text

  void text(String text) {
    if (text.isEmpty()) {
      return;
    }
    out.repeat(' ', spaces).append(text);
    spaces = 0;
    column += text.codePointCount(0, text.length());
  }

  void space() {
    spaces++;
    column++;
  }

  void newLine() {
    out.append('\n');
    column = nesting;
    spaces = nesting;
  }

  /** Writes a space in a construct on one line, and else a line break. */
  void line() {
    if (multiLine) {
      newLine();
    } else {
      space();
    }
  }

  /** Writes a line break in a construct of several lines. */
  void lineIfMulti() {
    if (multiLine) {
      newLine();
    }
  }

  // Indentation

  /** Begins the lines of a construct at the current column. */
  void align(Runnable content) {
    int saved = nesting;
    nesting = column;
    content.run();
    nesting = saved;
  }

  /** Indents the lines after the first in a construct of several lines. */
  void nest(Runnable content) {
    if (!multiLine) {
      content.run();
      return;
    }
    nesting += INDENT;
    content.run();
    nesting -= INDENT;
  }

  /** Indents all lines in a construct of several lines. */
  void indent(Runnable content) {
    if (multiLine) {
      alwaysIndent(content);
    } else {
      content.run();
    }
  }

  /** Indents all lines. */
  void alwaysIndent(Runnable content) {
    int saved = nesting;
    nesting = column + INDENT;
    spaces += INDENT;
    column += INDENT;
    content.run();
    nesting = saved;
  }

  // Layout

  boolean isMultiLine() {
    return multiLine;
  }

  /** Writes a construct with the layout that a range of the source has. */
  void layout(Span span, Runnable content) {
    layout(span.isMultiLine(), content);
  }

  /** Writes a construct on one or on several lines. */
  void layout(boolean multi, Runnable content) {
    boolean saved = multiLine;
    multiLine = multi;
    content.run();
    multiLine = saved;
  }

  /** Tests whether a construct gets several lines within the current construct. */
  boolean breaks(Span span) {
    return multiLine && span.isMultiLine();
  }

  /** Writes a construct, after the comments before it. */
  void node(Span span, Runnable content) {
    layout(
        span,
        () -> {
          comments(span, false);
          content.run();
        });
  }

  /** Writes a declaration, after the comments before it. */
  void declaration(Span span, Runnable content) {
    layout(
        span,
        () -> {
          comments(span, true);
          content.run();
        });
  }

  // Comments

  /** Tests whether a comment that is not yet written stands before a construct. */
  boolean hasCommentBefore(Span span) {
    return hasCommentBefore(span.start());
  }

  private boolean hasCommentBefore(int offset) {
    return nextComment < comments.size() && comments.get(nextComment).span().start() < offset;
  }

  /**
   * Writes the comments before a construct.
   *
   * @param ofDeclaration whether the construct is a declaration; comments in column 0 then stay
   *     there, because they can be the text of a literate program
   */
  private void comments(Span span, boolean ofDeclaration) {
    if (!hasCommentBefore(span)) {
      return;
    }
    Span last = comments(span.start(), ofDeclaration && span.column() > 0);
    if (!last.isRightBefore(span)) {
      newLine();
    }
  }

  /** Writes the comments before an offset, of which there is at least one. Returns the last. */
  private Span comments(int offset, boolean keepsColumn) {
    Comment last = null;
    while (hasCommentBefore(offset)) {
      Comment next = comments.get(nextComment++);
      if (last != null && !follows(last, next)) {
        newLine();
      }
      if (keepsColumn && next.span().column() == 0 && spaces == column) {
        spaces = 0;
        column = 0;
      }
      if (spaces == 0 && endsWithOperator()) {
        space();
      }
      text(next.text());
      newLine();
      last = next;
    }
    if (last == null) {
      throw new IllegalStateException("no comment");
    }
    return last.span();
  }

  /**
   * Tests whether the text so far ends with a character of operators, which a comment continues.
   */
  private boolean endsWithOperator() {
    return !out.isEmpty() && "+-*/%=!><&|^.".indexOf(out.charAt(out.length() - 1)) >= 0;
  }

  /** Tests whether a comment continues the block of another comment. */
  private static boolean follows(Comment last, Comment next) {
    return last.span().isRightBefore(next.span())
        && !(next.isDirective() && last.span().column() > 0);
  }

  /** Writes a closing bracket, after the comments before it. */
  void close(String bracket, Span span) {
    if (hasCommentBefore(span)) {
      if (column > spaces) {
        newLine();
      }
      comments(span.start(), false);
    }
    text(bracket);
  }

  /**
   * Writes the comments between the last declaration of a module and the closing bracket, without
   * the last line break.
   *
   * @param last the last declaration, or null
   */
  void commentsAtEnd(Span bracket, @Nullable Span last) {
    if (!hasCommentBefore(bracket)) {
      return;
    }
    if (last != null) {
      newLine();
      newLine();
    }
    comments(bracket.start(), last != null && last.column() > 0);
    out.setLength(out.length() - 1);
    spaces = 0;
  }

  /** Writes all comments that are left. */
  void commentsAtEndOfFile() {
    if (nextComment < comments.size()) {
      if (!out.isEmpty()) {
        newLine();
      }
      comments(Integer.MAX_VALUE, false);
    }
  }
}
