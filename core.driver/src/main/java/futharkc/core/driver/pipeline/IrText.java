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
 * The text form of a program in the middle of the pipeline. Comments after the first line record
 * the properties of the program.
 *
 * @param program the program, in any representation
 * @param properties the properties that hold for the program
 */
public record IrText(Ir program, Set<Property> properties) {
  private static final String PROPERTIES = "-- properties: ";

  /** Copies the set. */
  public IrText {
    properties = Set.copyOf(properties);
  }

  /**
   * Tests whether a file contains the text form of a program rather than Futhark source. The file's
   * name or its first line decides.
   */
  public static boolean recognises(String file, String text) {
    return file.endsWith(".fir") || file.endsWith(".imp") || Parser.hasHeader(text);
  }

  /** Returns the file extension for programs in a representation. */
  static String ending(Rep rep) {
    return rep.isImperative() ? ".imp" : ".fir";
  }

  /**
   * Parses the text form.
   *
   * @param source the file's name in messages
   * @throws futharkc.core.ir.text.ParseException if the text is malformed
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
   * Returns the text form.
   *
   * @param comment comment lines to put before the program; may be empty
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

  /** Returns the representation and the properties of the program. */
  public State state() {
    return new State(program.rep(), properties);
  }
}
