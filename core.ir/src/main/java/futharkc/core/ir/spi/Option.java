package futharkc.core.ir.spi;

import futharkc.core.ir.Machine;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * An option of a pass.
 *
 * @param constant the default value in text form; null if the default depends on the machine
 * @param byMachine the default value of an integer for a machine; null if the default is constant
 * @param least the least allowed integer
 * @param most the greatest allowed integer
 * @param power true if an integer must be a power of two, or zero
 * @param words the allowed texts; empty if every text is allowed
 */
public record Option(
    String name,
    Kind kind,
    @Nullable String constant,
    @Nullable ToLongFunction<Machine> byMachine,
    String description,
    long least,
    long most,
    boolean power,
    List<String> words) {
  private static final long LARGEST = 999_999_999_999_999_999L;

  /** The type of an option's values. */
  public enum Kind {
    BOOLEAN,
    INTEGER,
    TEXT
  }

  public Option {
    words = List.copyOf(words);
  }

  /** Makes an option that accepts all values of its kind; integers have up to 18 digits. */
  public Option(String name, Kind kind, String defaultValue, String description) {
    this(name, kind, defaultValue, null, description, -LARGEST, LARGEST, false, List.of());
  }

  /** Makes an option that accepts integers of 31 bits. */
  public static Option integer(String name, long defaultValue, String description) {
    return new Option(name, Kind.INTEGER, Long.toString(defaultValue), description)
        .within(0, Integer.MAX_VALUE);
  }

  /** Makes an option that accepts integers of 31 bits and whose default depends on the machine. */
  public static Option integer(
      String name, ToLongFunction<Machine> defaultValue, String description) {
    return new Option(
        name,
        Kind.INTEGER,
        null,
        defaultValue,
        description,
        0,
        Integer.MAX_VALUE,
        false,
        List.of());
  }

  /** Returns the default value for a machine, in text form. */
  public String defaultValue(Machine machine) {
    return byMachine == null
        ? Objects.requireNonNull(constant)
        : Long.toString(byMachine.applyAsLong(machine));
  }

  /** Returns this option restricted to an inclusive range of integers. */
  public Option within(long least, long most) {
    return new Option(name, kind, constant, byMachine, description, least, most, power, words);
  }

  /** Returns this option restricted to powers of two, and zero if the range includes it. */
  public Option powerOfTwo() {
    return new Option(name, kind, constant, byMachine, description, least, most, true, words);
  }

  /** Returns this option restricted to some texts. */
  public Option oneOf(String... words) {
    return new Option(
        name, kind, constant, byMachine, description, least, most, power, List.of(words));
  }

  /** Returns this option restricted to integers from {@code least}. */
  public Option from(long least) {
    return within(least, most);
  }

  /** Returns a description of the allowed values. */
  public String values() {
    return switch (kind) {
      case BOOLEAN -> "true or false";
      case TEXT -> words.isEmpty() ? "text" : "one of " + String.join(", ", words);
      case INTEGER ->
          (power ? "a power of two" : "an integer")
              + (least == -LARGEST ? "" : " from " + least + (isOpen() ? " on" : ""))
              + (isOpen() ? "" : " to " + most);
    };
  }

  private boolean isOpen() {
    return most >= Integer.MAX_VALUE;
  }

  /** Tests whether a text is an allowed value. */
  public boolean takes(String value) {
    return switch (kind) {
      case BOOLEAN -> value.equals("true") || value.equals("false");
      case TEXT -> words.isEmpty() || words.contains(value);
      case INTEGER ->
          value.matches("[+-]?[0-9]{1,18}")
              && Long.parseLong(value) >= least
              && Long.parseLong(value) <= most
              && (!power || Long.bitCount(Long.parseLong(value)) <= 1);
    };
  }
}
