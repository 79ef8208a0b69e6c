package futharkc.backend.cuda.runtime;

import futharkc.core.runtime.device.NativeBinding;
import futharkc.core.runtime.device.SharedLibrary;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The locations in which NVRTC is searched: folders that the user names, the linker's folders,
 * CUDA's standard folders, and Python packages.
 */
final class NvrtcLocations {
  private NvrtcLocations() {}

  /**
   * A location.
   *
   * @param description the description for users
   * @param files names or paths of libraries, newest first
   */
  record Location(String description, List<String> files) {}

  static List<Location> ofThisMachine() {
    return of(
        System.getenv(),
        Path.of("/"),
        Path.of(System.getProperty("user.home", "/nonexistent")),
        NativeBinding.platform().startsWith("windows"));
  }

  /**
   * Returns the locations of a machine.
   *
   * @param env the environment variables
   * @param root the root of the file system
   * @param home the user's home folder
   * @param windows true for Windows
   */
  static List<Location> of(Map<String, String> env, Path root, Path home, boolean windows) {
    List<Location> places = new ArrayList<>();
    for (String variable : List.of("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")) {
      String value = env.get(variable);
      if (value != null && !value.isEmpty()) {
        Path cuda = Path.of(value);
        places.add(
            new Location(
                variable + " = " + value,
                windows
                    ? inFolders(List.of(cuda.resolve("bin"), cuda.resolve("bin/x64")))
                    : inFolders(List.of(cuda.resolve("lib64"), cuda.resolve("lib"), cuda))));
      }
    }
    if (windows) {
      places.add(
          new Location(
              "the PATH", List.of("nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll")));
    } else {
      places.add(
          new Location(
              "the system's libraries",
              List.of(
                  "libnvrtc.so.15",
                  "libnvrtc.so.14",
                  "libnvrtc.so.13",
                  "libnvrtc.so.12",
                  "libnvrtc.so.11.2",
                  "libnvrtc.so")));
      List<Path> usual = new ArrayList<>(List.of(root.resolve("usr/local/cuda/lib64")));
      matches(root.resolve("usr/local"), "cuda-*").forEach(p -> usual.add(p.resolve("lib64")));
      usual.add(root.resolve("opt/cuda/lib64"));
      usual.add(root.resolve("usr/lib/x86_64-linux-gnu"));
      usual.add(root.resolve("usr/lib64"));
      places.add(new Location("folders " + joined(usual), inFolders(usual)));
    }
    List<Path> packages = pythonPackages(env, root, home);
    List<Path> wheels = new ArrayList<>();
    for (Path p : packages) {
      matches(p.resolve("nvidia"), "cu[0-9]*").forEach(cu -> wheels.add(cu.resolve("lib")));
      wheels.add(p.resolve("nvidia/cuda_nvrtc/lib"));
      wheels.add(p.resolve("nvidia/cuda_nvrtc/bin"));
    }
    places.add(
        new Location(
            packages.isEmpty()
                ? "Python's packages: there are none"
                : "nvidia/cu*/lib and nvidia/cuda_nvrtc/lib in " + joined(packages),
            inFolders(wheels)));
    return places;
  }

  private static String joined(List<Path> paths) {
    return String.join(", ", paths.stream().map(Path::toString).toList());
  }

  /** Returns the folders with Python packages: of environments, of the user, and of the system. */
  private static List<Path> pythonPackages(Map<String, String> env, Path root, Path home) {
    List<Path> prefixes = new ArrayList<>();
    for (String variable : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
      String value = env.get(variable);
      if (value != null && !value.isEmpty()) {
        prefixes.add(Path.of(value));
      }
    }
    String path = env.get("PATH");
    for (String folder : path == null ? new String[0] : path.split(File.pathSeparator)) {
      Path bin = Path.of(folder);
      if (bin.getParent() != null
          && (Files.exists(bin.resolve("python3")) || Files.exists(bin.resolve("python.exe")))) {
        prefixes.add(bin.getParent());
      }
    }
    prefixes.add(home.resolve(".local"));
    prefixes.add(root.resolve("usr"));
    prefixes.add(root.resolve("usr/local"));
    List<Path> found = new ArrayList<>();
    String pythonPath = env.get("PYTHONPATH");
    for (String folder :
        pythonPath == null || pythonPath.isEmpty()
            ? new String[0]
            : pythonPath.split(File.pathSeparator)) {
      found.add(Path.of(folder));
    }
    for (Path prefix : prefixes) {
      for (Path python : matches(prefix.resolve("lib"), "python3*")) {
        found.add(python.resolve("site-packages"));
        found.add(python.resolve("dist-packages"));
      }
      found.add(prefix.resolve("Lib/site-packages"));
    }
    return found.stream().distinct().filter(Files::isDirectory).toList();
  }

  /**
   * Returns the entries of a folder whose names match a pattern, those with the highest version
   * first.
   */
  private static List<Path> matches(Path folder, String pattern) {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, pattern)) {
        entries.forEach(found::add);
      } catch (IOException | java.nio.file.DirectoryIteratorException e) {
        // Unreadable folders are skipped.
      }
    }
    found.sort(Comparator.comparing(NvrtcLocations::version).reversed());
    return found;
  }

  /** Returns the numbers in a file name as a sort key of versions. */
  private static long version(Path path) {
    long version = 0;
    int numbers = 0;
    for (String digits : path.getFileName().toString().split("[^0-9]+", -1)) {
      if (!digits.isEmpty() && digits.length() < 6 && numbers < 3) {
        version = 100_000 * version + Long.parseLong(digits);
        numbers++;
      }
    }
    for (; numbers < 3; numbers++) {
      version *= 100_000;
    }
    return version;
  }

  private static List<String> inFolders(List<Path> folders) {
    List<String> files = new ArrayList<>();
    for (Path folder : folders) {
      for (String pattern : List.of("libnvrtc.so*", "nvrtc64_*_0.dll")) {
        for (Path file : matches(folder, pattern)) {
          String name = file.toString();
          if (!name.contains(".alt.")) {
            files.add(name);
          }
        }
      }
    }
    return files;
  }

  /** Loads the library that NVRTC loads by name during compilations, from NVRTC's folder. */
  static void loadBuiltins(String file) {
    Path folder = Path.of(file).getParent();
    if (folder != null) {
      SharedLibrary.find(
          matches(folder, "libnvrtc-builtins.so.*").stream().map(Path::toString).toList());
    }
  }
}
