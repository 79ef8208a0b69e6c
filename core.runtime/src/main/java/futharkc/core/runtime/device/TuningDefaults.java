package futharkc.core.runtime.device;

import org.jspecify.annotations.Nullable;

/**
 * The values of tuning parameters that nobody sets, by class, and the largest that there can be.
 *
 * <p>The classes and values are Futhark's own, so that its tuning files mean the same.
 */
public final class TuningDefaults {
  private static final int TILE = 32;
  private static final int BLOCK = 256;
  private static final int THRESHOLD = 32_768;
  private static final int OPENCL_REGISTERS = 65_536;
  private static final int UNKNOWN_CACHE = 1 << 20;

  private TuningDefaults() {}

  /** The name in front of what a class says in parentheses. */
  private static String name(String paramClass) {
    int end = 0;
    while (end < paramClass.length()
        && (Character.isLetterOrDigit(paramClass.charAt(end)) || paramClass.charAt(end) == '_')) {
      end++;
    }
    return paramClass.substring(0, end);
  }

  /** The value for a class on a device; 0 if the class has none. */
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
   * The value for a class that all GPUs have in common.
   *
   * @return null if it depends on the device, or the class has none
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

  /** The largest value for a class on a device. */
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
