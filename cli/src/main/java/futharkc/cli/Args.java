package futharkc.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * Short constructors for picocli option and parameter specifications, and accessors for parsed
 * values. Option names include their hyphens.
 */
final class Args {
  private Args() {}

  /** Returns a specification of a flag without a value. */
  static OptionSpec flag(String description, String... names) {
    return OptionSpec.builder(names).type(boolean.class).description(description).build();
  }

  /** Returns a specification of an option that takes one value and may be given once. */
  static OptionSpec value(String label, String description, String... names) {
    return OptionSpec.builder(names)
        .type(String.class)
        .paramLabel(label)
        .description(description)
        .build();
  }

  /**
   * Returns a specification of an option with an optional value. The value follows an equals sign:
   * {@code --option} alone means the fallback, {@code --option=value} the value.
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

  /** Returns a specification of an option that takes a value and may be given several times. */
  static OptionSpec values(String label, String description, String... names) {
    return OptionSpec.builder(names)
        .type(List.class)
        .auxiliaryTypes(String.class)
        .paramLabel(label)
        .description(description)
        .build();
  }

  /** Returns a specification of the single positional parameter, a file. */
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

  /**
   * Returns a specification of positional parameters that are files.
   *
   * @param arity the number of files, as picocli writes ranges: {@code 1..*}
   */
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

  /**
   * Returns all operands in order. An option between operands divides them into several matches.
   */
  static List<String> words(ParseResult parsed) {
    return parsed.matchedPositionals().stream()
        .distinct()
        .map(ArgSpec::stringValues)
        .flatMap(List::stream)
        .toList();
  }

  /** Returns the operands without repetitions. */
  static List<String> paths(ParseResult parsed) {
    return parsed.matchedPositionals().stream()
        .map(ArgSpec::stringValues)
        .flatMap(List::stream)
        .distinct()
        .toList();
  }

  /**
   * Returns the value of an option as a positive integer, or a fallback if the option is absent.
   *
   * @throws UsageException if the value is not a positive integer
   */
  static int positive(ParseResult parsed, String name, int fallback) {
    return positive(parsed, name, fallback, Integer.MAX_VALUE);
  }

  /**
   * Returns the value of an option as a positive integer, or a fallback if the option is absent.
   *
   * @param most the largest value
   * @throws UsageException if the value is not an integer from 1 to {@code most}
   */
  static int positive(ParseResult parsed, String name, int fallback, int most) {
    String text = get(parsed, name);
    if (text == null) {
      return fallback;
    }
    try {
      int n = Integer.parseInt(text);
      if (n > 0 && n <= most) {
        return n;
      }
    } catch (NumberFormatException e) {
      // The exception below reports the malformed number.
    }
    String range =
        most == Integer.MAX_VALUE ? "a positive integer" : "an integer from 1 to " + most;
    throw new UsageException(name + " takes " + range + ", not '" + text + "'.");
  }
}
