package futharkc.core.runtime;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of a program's tuning parameters, by their positions; 0 where it computes its own. */
final class TuningValues {
  /** By what names tuning files set all parameters of a class. */
  private static final Map<String, String> CLASSES =
      Map.ofEntries(
          Map.entry("default_thread_block_size", "thread_block_size"),
          Map.entry("default_tblock_size", "thread_block_size"),
          Map.entry("default_group_size", "thread_block_size"),
          Map.entry("default_grid_size", "grid_size"),
          Map.entry("default_num_groups", "grid_size"),
          Map.entry("default_tile_size", "tile_size"),
          Map.entry("default_reg_tile_size", "reg_tile_size"),
          Map.entry("default_registers", "registers"),
          Map.entry("default_cache", "cache"),
          Map.entry("default_threshold", "threshold"));

  private final FutharkProgram.TuningParameter[] parameters;
  private final long[] values;

  /** What the values must fit; null before it is known, and where there is none. */
  private @Nullable Accelerator device;

  /** The largest values of classes that were asked for in vain, and have been said. */
  private final Map<String, Long> refused = new HashMap<>();

  /** All of them have their defaults. */
  TuningValues(FutharkProgram program) {
    parameters = program.tuningParameters();
    values = new long[parameters.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = parameters[i].defaultValue();
    }
  }

  /**
   * Takes defaults from a device, and limits all values to what it can have.
   *
   * @param messages is told which values were too large
   */
  void fit(Accelerator accelerator, PrintStream messages) {
    device = accelerator;
    for (int i = 0; i < values.length; i++) {
      fit(i, messages);
    }
  }

  private void fit(int i, PrintStream messages) {
    if (device == null) {
      return;
    }
    String paramClass = parameters[i].paramClass();
    long most = device.tuningMaximum(paramClass);
    if (values[i] > most && !Long.valueOf(values[i]).equals(refused.put(paramClass, values[i]))) {
      messages.printf(
          "Warning: this device has a %s of at most %d, which is taken in place of %d.%n",
          paramClass, most, values[i]);
    }
    long set = values[i] == 0 ? device.tuningDefault(paramClass) : values[i];
    values[i] = Math.min(set, most);
  }

  /**
   * Sets a parameter, 0 means its default; or those of a class that are not set, such as {@code
   * default_threshold}.
   *
   * @param messages is told if the value is too large
   * @return whether there is a parameter or class of that name
   */
  boolean set(String name, long value, PrintStream messages) {
    for (int i = 0; i < values.length; i++) {
      if (parameters[i].name().equals(name)) {
        values[i] = value == 0 ? parameters[i].defaultValue() : value;
        fit(i, messages);
        return true;
      }
    }
    String paramClass = CLASSES.get(name);
    if (paramClass != null) setClass(paramClass, value);
    return paramClass != null;
  }

  /** Sets all parameters of a class that have their defaults, which 0 leaves as they are. */
  void setClass(String paramClass, long value) {
    if (value == 0) {
      return;
    }
    for (int i = 0; i < values.length; i++) {
      String name = parameters[i].paramClass();
      boolean same =
          name.startsWith(paramClass)
              && (name.length() == paramClass.length()
                  || !Character.isLetter(name.charAt(paramClass.length()))
                      && name.charAt(paramClass.length()) != '_');
      if (same && values[i] == parameters[i].defaultValue()) {
        values[i] = value;
      }
    }
  }

  long get(int i) {
    return values[i];
  }

  String name(int i) {
    return parameters[i].name();
  }

  /** What they say about the run time on the host. */
  HostTuning host() {
    return HostTuning.of(parameters, values);
  }
}
