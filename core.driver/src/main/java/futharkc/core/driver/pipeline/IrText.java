package futharkc.core.driver.pipeline;

import futharkc.core.driver.plan.State;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Property;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.text.Printer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A program in the middle of the pipeline, as text: the program's own text form, with comments
 * after the first line, one of which says what holds for it.
 *
 * @param program in whatever representation
 * @param properties what holds
 */
public record IrText(Ir program, Set<Property> properties) {
  private static final String PROPERTIES = "-- properties: ";

  /** Makes an unmodifiable copy. */
  public IrText {
    properties = Set.copyOf(properties);
  }

  /** Whether a file, by its name or its content, is meant as text form, not as Futhark source. */
  public static boolean recognises(String file, String text) {
    return file.endsWith(".fir") || file.endsWith(".imp") || Parser.hasHeader(text);
  }

  /** How the names of files with a program in a representation end. */
  static String ending(Rep rep) {
    return rep.isImperative() ? ".imp" : ".fir";
  }

  /**
   * Reads the text form.
   *
   * @param source the file's name, for messages
   * @throws futharkc.core.ir.text.ParseException if it is malformed
   */
  public static IrText parse(String source, String text) {
    Set<Property> properties =
        text.lines()
            .skip(1)
            .takeWhile(l -> l.isBlank() || l.startsWith("--"))
            .filter(l -> l.startsWith(PROPERTIES))
            .flatMap(l -> Arrays.stream(l.substring(PROPERTIES.length()).split(",")))
            .map(String::strip)
            .filter(p -> !p.isEmpty())
            .map(Property::new)
            .collect(Collectors.toSet());
    return new IrText(Parser.parseAny(source, text), properties);
  }

  /**
   * The text form.
   *
   * @param comment lines to put before the program; may be empty
   */
  public String print(String comment) {
    String text = Printer.print(program);
    int end = text.indexOf('\n') + 1;
    String held =
        properties.stream()
            .sorted(Comparator.comparing(Property::name))
            .map(Property::name)
            .collect(Collectors.joining(", "));
    String lines =
        comment.lines().map(l -> ("-- " + l).stripTrailing() + "\n").collect(Collectors.joining());
    return text.substring(0, end)
        + lines
        + (held.isEmpty() ? "" : PROPERTIES + held + "\n")
        + text.substring(end);
  }

  /** What is known of the program. */
  public State state() {
    return new State(program.rep(), properties);
  }
}
