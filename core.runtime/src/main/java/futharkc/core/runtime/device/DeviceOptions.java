package futharkc.core.runtime.device;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which device to open, and how to make its kernels.
 *
 * @param device part of the device's name, {@code #k} for the k-th, or both; null for the preferred
 * @param platform part of the platform's name; null for any
 * @param compilerOptions handed to the kernels' compiler, after the program's own
 * @param cacheFile where the kernels' binary is kept; null for the user's cache folder
 * @param caching whether binaries are kept in the user's cache folder at all
 * @param source a file to take the kernels' source from, in place of the program's
 * @param binary a file to take the kernels' binary from, in place of compiling anything
 * @param unifiedMemory whether memory is shared with the host, where the device can do that
 * @param ownProcess whether the process has nothing else to do, and may be ended by the driver
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

  /** The preferred device, and binaries kept in the user's cache folder. */
  public static final DeviceOptions DEFAULT = new Builder().build();

  /** Options that are to be. */
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

    /** As {@link #DEFAULT}. */
    public Builder() {}

    /** Sets part of the device's name, {@code #k}, or both. */
    public Builder device(String name) {
      device = name;
      return this;
    }

    /** Sets part of the platform's name. */
    public Builder platform(String name) {
      platform = name;
      return this;
    }

    /** Adds an option for the kernels' compiler. */
    public Builder compilerOption(String option) {
      compilerOptions.add(option);
      return this;
    }

    /** Sets the file to keep the binary in. */
    public Builder cacheFile(Path file) {
      cacheFile = file;
      return this;
    }

    /** Sets whether binaries are kept in the user's cache folder. */
    public Builder caching(boolean on) {
      caching = on;
      return this;
    }

    /** Sets a file to take the source from. */
    public Builder source(Path file) {
      source = file;
      return this;
    }

    /** Sets a file to take the binary from. */
    public Builder binary(Path file) {
      binary = file;
      return this;
    }

    /** Sets whether memory is shared with the host. */
    public Builder unifiedMemory(boolean on) {
      unifiedMemory = on;
      return this;
    }

    /** Sets whether the process has nothing else to do. */
    public Builder ownProcess(boolean on) {
      ownProcess = on;
      return this;
    }

    /** The options. */
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
