package futharkc.tests;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The command lines of the launcher that the page {@code docs/reference/commands.md} allows.
 *
 * @param options the options of each command; those of the form without a command by an empty name
 */
record CommandLines(Map<String, Set<String>> options) {
  private static final String LAUNCHER = "./futharkc ";
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|[^\\s'\"]+");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])(--?[A-Za-z][\\w-]*)");

  /** Reads the page, which is generated from the commands. */
  static CommandLines ofReference(Path root) throws IOException {
    MarkdownPage page = MarkdownPage.read(root.resolve("docs/reference/commands.md"));
    Map<String, Set<String>> options = new HashMap<>();
    String command = null;
    for (String line : page.prose()) {
      if (line.startsWith("## ")) {
        command = line.startsWith("## `") ? line.substring(4, line.length() - 1) : "";
        if (line.equals("## Executables")) {
          break;
        }
        options.put(command, new HashSet<>());
      } else if (command != null && line.startsWith("| `")) {
        addOptions(line.split(" \\| ")[0], options.get(command));
      }
    }
    for (MarkdownPage.Code block : page.code()) {
      if (block.text().startsWith("Usage: futharkc dataset")) {
        block.text().lines().forEach(l -> addOptions(l, options.get("dataset")));
      }
    }
    options.get("").addAll(Set.of("--version", "-V"));
    return new CommandLines(options);
  }

  private static void addOptions(String text, Set<String> into) {
    Matcher m = OPTION.matcher(text);
    while (m.find()) {
      into.add(m.group(1));
    }
  }

  /** Returns the command lines in the code blocks and code spans of a page. */
  static List<String> in(MarkdownPage page) {
    Stream<String> blocks = page.code().stream().flatMap(c -> c.text().lines());
    return Stream.concat(blocks, page.spans().stream())
        .map(String::strip)
        .map(l -> l.replaceFirst("^\\$ ", ""))
        .filter(l -> l.startsWith(LAUNCHER))
        .toList();
  }

  /** Returns the words behind the launcher, up to a comment or redirection. */
  static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    Matcher m = WORD.matcher(line.substring(LAUNCHER.length()));
    while (m.find()) {
      if (m.group().matches("[#<>|;&].*")) {
        break;
      }
      words.add(m.group(1) != null ? m.group(1) : m.group(2) != null ? m.group(2) : m.group());
    }
    return words;
  }

  /** Returns what is wrong with a command line, or null. */
  @Nullable String problem(String line) {
    List<String> words = words(line);
    if (words.isEmpty()) {
      return null;
    }
    String first = words.get(0);
    // A word in capitals stands for any command.
    if (first.matches("[A-Z]+")) {
      return null;
    }
    boolean isFile = first.startsWith("-") || first.contains(".") || first.contains("/");
    Set<String> known = options.get(isFile ? "" : first);
    if (known == null) {
      return "there is no command " + first;
    }
    for (String word : words) {
      if (word.equals("--")) {
        break;
      }
      if (!word.startsWith("-") || word.equals("-")) {
        continue;
      }
      String name = word.replaceFirst("=.*", "");
      boolean isKnown =
          known.contains(name) || !name.startsWith("--") && known.contains(name.substring(0, 2));
      if (!isKnown) {
        return "there is no option " + name;
      }
    }
    return null;
  }
}
