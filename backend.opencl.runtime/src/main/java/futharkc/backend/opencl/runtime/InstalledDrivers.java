package futharkc.backend.opencl.runtime;

import futharkc.core.runtime.device.SharedLibrary;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The OpenCL drivers that are registered on a machine, and the reasons why they have no device. A
 * file {@code NAME.icd} with the name of a library registers a driver.
 *
 * @param folder the folder with the files
 * @param env the environment variables
 */
record InstalledDrivers(Path folder, Map<String, String> env) {
  /** Returns the drivers of this machine. */
  static InstalledDrivers ofMachine() {
    Map<String, String> env = System.getenv();
    String folder = env.getOrDefault("OCL_ICD_VENDORS", "/etc/OpenCL/vendors");
    return new InstalledDrivers(Path.of(folder), env);
  }

  /** Returns the files that register drivers, in the order of their names. */
  List<Path> files() {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.icd")) {
      found.forEach(files::add);
    } catch (IOException e) {
      // Without the folder, no driver is registered.
    }
    files.sort(null);
    return files;
  }

  /** Explains why no driver has a device, in words without full stop. */
  String whyNoDevice() {
    List<Path> files = files();
    if (files.isEmpty()) {
      return "no driver is registered in " + folder;
    }
    List<String> reasons = new ArrayList<>();
    for (Path file : files) {
      reasons.add(file + ": " + reason(file));
    }
    return "no registered driver has one (" + String.join("; ", reasons) + ")";
  }

  private String reason(Path file) {
    String library;
    try {
      library = Files.readString(file).strip().lines().findFirst().orElse("");
    } catch (IOException e) {
      return "the file cannot be read";
    }
    if (SharedLibrary.find(List.of(library)) == null) {
      return "the library " + library + " cannot be loaded";
    }
    String cache = library.contains("pocl") ? poclCacheFailure() : null;
    return cache == null ? "the driver reports no device" : cache;
  }

  /** Returns the reason why PoCL cannot make its cache, without which it has no device. */
  private @Nullable String poclCacheFailure() {
    Path cache = poclCache();
    if (cache == null) {
      return null;
    }
    try {
      Path made = Files.createDirectories(cache);
      Files.delete(Files.createTempFile(made, "futharkc", ".tmp"));
      return null;
    } catch (IOException e) {
      return "PoCL cannot write to its cache " + cache + "; POCL_CACHE_DIR can name another folder";
    }
  }

  private @Nullable Path poclCache() {
    String own = env.get("POCL_CACHE_DIR");
    if (own != null) {
      return Path.of(own);
    }
    String xdg = env.get("XDG_CACHE_HOME");
    if (xdg != null) {
      return Path.of(xdg, "pocl", "kcache");
    }
    String home = env.get("HOME");
    return home == null ? null : Path.of(home, ".cache", "pocl", "kcache");
  }
}
