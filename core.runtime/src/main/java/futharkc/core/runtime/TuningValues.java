package futharkc.core.runtime;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of a program's tuning parameters, by position; 0 if the program computes the default
 * itself.
 */
final class TuningValues {
  /** The names by which tuning files set all parameters of a class. */
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

  /**
   * The device that limits the values; null before it is known, and for programs without kernels.
   */
  private @Nullable Accelerator device;

  /**
   * The largest values of the classes for which a message has reported a value that was too large.
   */
  private final Map<String, Long> refused = new HashMap<>();

  /** Creates the default values. */
  TuningValues(FutharkProgram program) {
    parameters = program.tuningParameters();
    values = new long[parameters.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = parameters[i].defaultValue();
    }
  }

  /**
   * Takes defaults from a device, and limits all values to those that it supports.
   *
   * @param accelerator the device
   * @param messages the stream for messages about values that were too large
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
          "Warning: the device limits %s to %d; this value is used instead of %d.%n",
          paramClass, most, values[i]);
    }
    long set = values[i] == 0 ? device.tuningDefault(paramClass) : values[i];
    values[i] = Math.min(set, most);
  }

  /**
   * Sets a parameter, or, for a name such as {@code default_threshold}, all parameters of a class
   * that are not set otherwise. The value 0 stands for the default.
   *
   * @param name the name of the parameter or class
   * @param value the value
   * @param messages the stream for a message if the value is too large
   * @return true if the parameter or class exists
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
    if (paramClass != null) {
      setClass(paramClass, value);
    }
    return paramClass != null;
  }

  /** Sets all parameters of a class that have their default values; 0 has no effect. */
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

  /** Returns the costs on the host that the parameters define. */
  HostTuning host() {
    return HostTuning.of(parameters, values);
  }
}
