package futharkc.core.runtime.device;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The selection of a device, and the settings of its kernel compiler.
 *
 * @param device a part of the device's name, {@code #k} for the k-th device, or both; null for the
 *     default
 * @param platform a part of the platform's name; null for any
 * @param compilerOptions the options of the kernel compiler, after the program's own
 * @param cacheFile the file for the kernels' binary; null for the user's cache folder
 * @param caching true to keep binaries in the user's cache folder
 * @param source the file with the kernels' source; null for the program's
 * @param binary the file with the kernels' binary; null to compile
 * @param unifiedMemory true to share memory with the host if the device supports this
 * @param ownProcess true if the process runs only this program, so that the driver may end the
 *     process
 */
public record DeviceOptions(
    @Nullable String device,
    @Nullable String platform,
    List<String> compilerOptions,
    @Nullable Path cacheFile,
    boolean caching,
    @Nullable Path source,
    @Nullable Path binary,
    boolean unifiedMemory,
    boolean ownProcess) {

  /** The default device, with binaries in the user's cache folder. */
  public static final DeviceOptions DEFAULT = new Builder().build();

  /** A builder of options. */
  public static final class Builder {
    private @Nullable String device;
    private @Nullable String platform;
    private final List<String> compilerOptions = new ArrayList<>();
    private @Nullable Path cacheFile;
    private boolean caching = true;
    private @Nullable Path source;
    private @Nullable Path binary;
    private boolean unifiedMemory;
    private boolean ownProcess;

    /** Creates a builder with the values of {@link #DEFAULT}. */
    public Builder() {}

    /** Sets a part of the device's name, {@code #k}, or both. */
    public Builder device(String name) {
      device = name;
      return this;
    }

    /** Sets a part of the platform's name. */
    public Builder platform(String name) {
      platform = name;
      return this;
    }

    /** Adds an option for the kernels' compiler. */
    public Builder compilerOption(String option) {
      compilerOptions.add(option);
      return this;
    }

    /** Sets the file for the kernels' binary. */
    public Builder cacheFile(Path file) {
      cacheFile = file;
      return this;
    }

    /** Switches the use of the user's cache folder on or off. */
    public Builder caching(boolean on) {
      caching = on;
      return this;
    }

    /** Sets the file with the kernels' source. */
    public Builder source(Path file) {
      source = file;
      return this;
    }

    /** Sets the file with the kernels' binary. */
    public Builder binary(Path file) {
      binary = file;
      return this;
    }

    /** Switches memory that the device shares with the host on or off. */
    public Builder unifiedMemory(boolean on) {
      unifiedMemory = on;
      return this;
    }

    /** Sets whether the process runs only this program. */
    public Builder ownProcess(boolean on) {
      ownProcess = on;
      return this;
    }

    /** Returns the options. */
    public DeviceOptions build() {
      return new DeviceOptions(
          device,
          platform,
          List.copyOf(compilerOptions),
          cacheFile,
          caching,
          source,
          binary,
          unifiedMemory,
          ownProcess);
    }
  }
}
