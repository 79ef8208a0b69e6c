package futharkc.core.runtime;

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

  /** All of them have their defaults. */
  TuningValues(FutharkProgram program) {
    parameters = program.tuningParameters();
    values = new long[parameters.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = parameters[i].defaultValue();
    }
  }

  /** Takes defaults from a device, and limits all values to what it can have. */
  void fit(Accelerator accelerator) {
    device = accelerator;
    for (int i = 0; i < values.length; i++) {
      fit(i);
    }
  }

  private void fit(int i) {
    if (device != null) {
      String paramClass = parameters[i].paramClass();
      long set = values[i] == 0 ? device.tuningDefault(paramClass) : values[i];
      values[i] = Math.min(set, device.tuningMaximum(paramClass));
    }
  }

  /**
   * Sets a parameter, 0 means its default; or those of a class that are not set, such as {@code
   * default_threshold}.
   *
   * @return whether there is a parameter or class of that name
   */
  boolean set(String name, long value) {
    for (int i = 0; i < values.length; i++) {
      if (parameters[i].name().equals(name)) {
        values[i] = value == 0 ? parameters[i].defaultValue() : value;
        fit(i);
        return true;
      }
    }
    String paramClass = CLASSES.get(name);
    if (paramClass != null) setClass(paramClass, value);
    return paramClass != null;
  }

  /** Sets all parameters of a class that have their defaults. */
  void setClass(String paramClass, long value) {
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
