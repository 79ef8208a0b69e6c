package futharkc.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * Short forms for describing command lines, and for reading them. Names are given with their
 * hyphens.
 */
final class Args {
  private Args() {}

  /** An option that is there or not. */
  static OptionSpec flag(String description, String... names) {
    return OptionSpec.builder(names).type(boolean.class).description(description).build();
  }

  /** An option with a value, given at most once. */
  static OptionSpec value(String label, String description, String... names) {
    return OptionSpec.builder(names)
        .type(String.class)
        .paramLabel(label)
        .description(description)
        .build();
  }

  /**
   * An option whose value may be left out; it is what follows an equals sign, no word of its own.
   */
  static OptionSpec optional(String label, String fallback, String description, String... names) {
    return OptionSpec.builder(names)
        .type(String.class)
        .arity("0..1")
        .fallbackValue(fallback)
        .preprocessor(
            (words, command, option, info) -> {
              if (!"=".equals(info.get("separator"))) {
                words.push(fallback);
              }
              return false;
            })
        .paramLabel(label)
        .description(description)
        .build();
  }

  /** An option that may be given several times. */
  static OptionSpec values(String label, String description, String... names) {
    return OptionSpec.builder(names)
        .type(List.class)
        .auxiliaryTypes(String.class)
        .paramLabel(label)
        .description(description)
        .build();
  }

  /** The one parameter that is a file. */
  static PositionalParamSpec file(String label, String description) {
    return PositionalParamSpec.builder()
        .index("0")
        .arity("1")
        .required(true)
        .type(String.class)
        .paramLabel(label)
        .description(description)
        .build();
  }

  /** Any number of files. */
  static PositionalParamSpec files(String label, String arity, String description) {
    return PositionalParamSpec.builder()
        .index("0..*")
        .arity(arity)
        .type(List.class)
        .auxiliaryTypes(String.class)
        .paramLabel(label)
        .description(description)
        .build();
  }

  static boolean has(ParseResult parsed, String name) {
    return parsed.hasMatchedOption(name);
  }

  static @Nullable String get(ParseResult parsed, String name) {
    return parsed.hasMatchedOption(name) ? parsed.matchedOptionValue(name, "") : null;
  }

  static String get(ParseResult parsed, String name, String fallback) {
    return parsed.matchedOptionValue(name, fallback);
  }

  static List<String> all(ParseResult parsed, String name) {
    return parsed.matchedOptionValue(name, List.of());
  }

  static Path path(ParseResult parsed) {
    return Path.of(parsed.matchedPositionalValue(0, ""));
  }

  static List<String> paths(ParseResult parsed) {
    return parsed.matchedPositionals().stream()
        .map(ArgSpec::stringValues)
        .flatMap(List::stream)
        .distinct()
        .toList();
  }

  /**
   * A positive whole number.
   *
   * @throws UsageException if the value is something else
   */
  static int positive(ParseResult parsed, String name, int fallback) {
    String text = get(parsed, name);
    if (text == null) {
      return fallback;
    }
    try {
      int n = Integer.parseInt(text);
      if (n > 0) {
        return n;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new UsageException(name + " takes a positive number, not '" + text + "'.");
  }
}
