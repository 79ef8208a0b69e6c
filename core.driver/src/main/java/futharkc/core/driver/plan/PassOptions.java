package futharkc.core.driver.plan;

import futharkc.core.driver.failure.PlanException;
import futharkc.core.ir.Machine;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassInfo;
import java.util.Map;
import java.util.TreeMap;

/** The values of one pass's options: the given values, and the defaults of all other options. */
public final class PassOptions {
  private final String pass;
  private final Map<String, Option> declared = new TreeMap<>();
  private final Map<String, String> values = new TreeMap<>();

  /**
   * Creates the options that a request gives.
   *
   * @throws PlanException for an unknown option or an invalid value
   */
  public PassOptions(PassInfo info, PassRequest request) {
    pass = info.name();
    for (Option option : info.options()) {
      declared.put(option.name(), option);
    }
    request
        .options()
        .forEach(
            (name, value) -> {
              Option option = declared.get(name);
              if (option == null) {
                throw new PlanException(
                    Wording.unknown("option of the pass " + pass, name, declared.keySet()));
              }
              if (!option.takes(value)) {
                throw new PlanException(
                    "The option "
                        + name
                        + " of the pass "
                        + pass
                        + " takes "
                        + option.values()
                        + ", not '"
                        + value
                        + "'.");
              }
              values.put(name, value);
            });
  }

  /**
   * Checks the options of a request.
   *
   * @throws PlanException for an unknown option or an invalid value
   */
  static void check(PassInfo info, PassRequest request) {
    new PassOptions(info, request);
  }

  /**
   * Returns the value of an option as text: the given value, or the default for a machine.
   *
   * @throws IllegalArgumentException if the pass declares no such option of that kind, which is a
   *     bug of the pass
   */
  public String get(String name, Option.Kind kind, Machine machine) {
    Option option = declared.get(name);
    if (option == null || option.kind() != kind) {
      throw new IllegalArgumentException(
          "the pass " + pass + " does not declare an option " + name + " of kind " + kind);
    }
    String value = values.get(name);
    return value == null ? option.defaultValue(machine) : value;
  }
}
