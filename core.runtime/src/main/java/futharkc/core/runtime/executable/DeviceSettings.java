package futharkc.core.runtime.executable;

import futharkc.core.runtime.device.DeviceOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The options of a device on the command line of an executable. Programs without kernels do without
 * this class.
 */
final class DeviceSettings {
  private DeviceSettings() {}

  /**
   * Returns the options for the device.
   *
   * @param run the options of the command line
   * @param ownProcess whether the process runs nothing but the program
   * @param name the name of the device, before other options; null for the default device
   */
  static DeviceOptions of(RunOptions run, boolean ownProcess, @Nullable String name) {
    DeviceOptions.Builder options = new DeviceOptions.Builder();
    if (name != null) {
      options.device(name);
    }
    for (RunOptions.DeviceSetting setting : run.device) {
      String value = setting.value();
      switch (setting.kind()) {
        case DEVICE -> options.device(value);
        case PLATFORM -> options.platform(value);
        case CACHE_FILE -> options.cacheFile(Path.of(value));
        case UNIFIED_MEMORY -> options.unifiedMemory(value.equals("1"));
        case NVRTC_OPTION, BUILD_OPTION -> options.compilerOption(value);
        case LOAD_CUDA, LOAD_OPENCL -> options.source(Path.of(value));
        case LOAD_PTX, LOAD_BINARY -> options.binary(Path.of(value));
        default -> throw new IllegalStateException(setting.toString());
      }
    }
    return options.ownProcess(ownProcess).build();
  }
}
