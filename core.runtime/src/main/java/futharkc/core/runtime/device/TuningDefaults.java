package futharkc.core.runtime.device;

import org.jspecify.annotations.Nullable;

/**
 * The default and the largest values of tuning parameters, by class.
 *
 * <p>Classes and values are those of Futhark, so that its tuning files have the same meaning.
 */
public final class TuningDefaults {
  private static final int TILE = 32;
  private static final int BLOCK = 256;
  private static final int THRESHOLD = 32_768;
  private static final int OPENCL_REGISTERS = 65_536;
  private static final int UNKNOWN_CACHE = 1 << 20;

  private TuningDefaults() {}

  /** Returns the name of a class without its arguments in parentheses. */
  private static String name(String paramClass) {
    int end = 0;
    while (end < paramClass.length()
        && (Character.isLetterOrDigit(paramClass.charAt(end)) || paramClass.charAt(end) == '_')) {
      end++;
    }
    return paramClass.substring(0, end);
  }

  /** Returns the default of a class on a device; 0 if the class has none. */
  static long value(String paramClass, DeviceInfo device) {
    DeviceInfo.Limits limits = device.limits();
    boolean cpu = device.kind() == DeviceInfo.Kind.CPU;
    return switch (name(paramClass)) {
      case "thread_block_size" -> Math.min(cpu ? 32 : BLOCK, limits.blockThreads());
      case "grid_size" -> gridSize(limits, cpu);
      case "tile_size" -> cpu ? 4 : TILE;
      case "reg_tile_size" -> cpu ? 1 : 2;
      case "threshold" -> cpu ? limits.units() : THRESHOLD;
      case "shared_memory" -> limits.sharedMemory();
      case "registers" -> limits.registers() > 0 ? limits.registers() : OPENCL_REGISTERS;
      case "cache" -> limits.cache() > 0 ? limits.cache() : UNKNOWN_CACHE;
      default -> 0;
    };
  }

  /**
   * Returns the default of a class that is the same for all GPUs.
   *
   * @return null if the default depends on the device, or the class has none
   */
  public static @Nullable Long ofAnyGpu(String paramClass) {
    return switch (name(paramClass)) {
      case "thread_block_size" -> (long) BLOCK;
      case "tile_size" -> (long) TILE;
      case "reg_tile_size" -> 2L;
      case "threshold" -> (long) THRESHOLD;
      default -> null;
    };
  }

  private static long gridSize(DeviceInfo.Limits limits, boolean cpu) {
    if (cpu) {
      return limits.units();
    }
    return limits.threadsPerUnit() > 0
        ? (long) limits.units() * limits.threadsPerUnit() / BLOCK
        : 4L * limits.units();
  }

  /** Returns the largest value of a class on a device. */
  static long maximum(String paramClass, DeviceInfo device) {
    DeviceInfo.Limits limits = device.limits();
    return switch (name(paramClass)) {
      case "thread_block_size" -> limits.blockThreads();
      case "grid_size" -> limits.gridX();
      case "tile_size" -> (long) Math.sqrt(limits.blockThreads());
      case "shared_memory" -> limits.sharedMemory();
      default -> Long.MAX_VALUE;
    };
  }
}
