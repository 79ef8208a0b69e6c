package futharkc.tests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A document in Markdown, split into its blocks.
 *
 * @param prose the lines outside of code blocks, in their order
 * @param code the code blocks, in their order
 */
record MarkdownPage(Path file, List<String> prose, List<Code> code) {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern SPAN = Pattern.compile("`([^`]+)`");

  /**
   * A code block.
   *
   * @param info the words behind the opening fence; empty for an indented block
   * @param line the line on which the block begins, counted from 1
   */
  record Code(String info, int line, String text) {
    /** Tests whether the block is a complete text in a language. */
    boolean isComplete(String language) {
      return info.equals(language);
    }
  }

  static MarkdownPage read(Path file) throws IOException {
    return of(file, Files.readString(file));
  }

  static MarkdownPage of(Path file, String text) {
    List<String> prose = new ArrayList<>();
    List<Code> code = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); ) {
      String line = lines.get(i);
      int start = i + 1;
      StringBuilder block = new StringBuilder();
      if (line.strip().startsWith("```")) {
        for (i++; i < lines.size() && !lines.get(i).strip().equals("```"); i++) {
          block.append(lines.get(i)).append('\n');
        }
        i++;
        code.add(new Code(line.strip().substring(3).strip(), start, block.toString()));
        prose.add("");
      } else if (line.startsWith("    ") && (prose.isEmpty() || prose.getLast().isBlank())) {
        for (; i < lines.size() && lines.get(i).startsWith("    "); i++) {
          block.append(lines.get(i).strip()).append('\n');
        }
        code.add(new Code("", start, block.toString()));
        prose.add("");
      } else {
        prose.add(line);
        i++;
      }
    }
    return new MarkdownPage(file, List.copyOf(prose), List.copyOf(code));
  }

  /** Returns the targets of links, outside of code. */
  List<String> links() {
    List<String> links = new ArrayList<>();
    for (String line : prose) {
      Matcher m = LINK.matcher(SPAN.matcher(line).replaceAll("x"));
      while (m.find()) {
        links.add(m.group(1));
      }
    }
    return links;
  }

  /** Returns the code inside of lines of prose. */
  List<String> spans() {
    List<String> spans = new ArrayList<>();
    for (String line : prose) {
      Matcher m = SPAN.matcher(line);
      while (m.find()) {
        spans.add(m.group(1));
      }
    }
    return spans;
  }

  /** Returns the anchors of headings, as GitHub forms them. */
  Set<String> anchors() {
    Set<String> anchors = new LinkedHashSet<>();
    Map<String, Integer> count = new HashMap<>();
    for (String line : prose) {
      if (!line.matches("#{1,6} .*")) {
        continue;
      }
      String title = line.replaceFirst("^#+ ", "").replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1");
      String anchor =
          title
              .strip()
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      int before = count.merge(anchor, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? anchor : anchor + "-" + before);
    }
    return anchors;
  }

  /** Returns the sentences of paragraphs and list items; code counts as one word. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    StringBuilder paragraph = new StringBuilder();
    for (String line : prose) {
      boolean isApart = line.isBlank() || line.startsWith("#") || line.strip().startsWith("|");
      if (isApart || line.strip().matches("([-*]|\\d+\\.) .*")) {
        split(paragraph.toString(), sentences);
        paragraph.setLength(0);
      }
      if (!isApart) {
        paragraph.append(line.strip().replaceFirst("^([-*]|\\d+\\.) ", "")).append(' ');
      }
    }
    split(paragraph.toString(), sentences);
    return sentences;
  }

  private static void split(String paragraph, List<String> into) {
    String text = SPAN.matcher(paragraph).replaceAll("code");
    text = text.replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1");
    for (String sentence : text.split("(?<=[.!?:;])\\s+")) {
      if (!sentence.isBlank()) {
        into.add(sentence.strip());
      }
    }
  }
}
