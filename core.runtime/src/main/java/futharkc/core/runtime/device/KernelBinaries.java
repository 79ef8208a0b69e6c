package futharkc.core.runtime.device;

import futharkc.core.runtime.CacheFolder;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The search for the binary of a program's kernels: a file that the user names, the cache, the
 * compiler, and the portable form, in this order.
 */
final class KernelBinaries {
  private final Device device;
  private final Driver driver;
  private final DeviceOptions options;
  private final KernelSource source;
  private final Map<String, Long> macros;

  KernelBinaries(Device device, KernelSource source, Map<String, Long> macros) {
    this.device = device;
    driver = device.driver();
    options = device.options();
    this.source = source;
    this.macros = new TreeMap<>(macros);
  }

  /**
   * Tests whether all kernels are loaded at once: the user has named a file with all of them, or
   * the program has a single module.
   */
  boolean areWhole() {
    return source.modules().isEmpty()
        || options.binary() != null
        || options.source() != null
        || options.cacheFile() != null;
  }

  /**
   * Loads the kernels of a module.
   *
   * @param module the position of the module
   * @param compilation the compilation of modules, which uses {@link #binary}, if the cache has no
   *     binary
   * @throws DriverException if all methods fail; without a compiler there may still be a portable
   *     form of all modules
   */
  long load(int module, ModuleCompilation compilation) {
    if (driver.keepsCompiled()) {
      return driver.compileAndLoad(source.text(module), arguments());
    }
    BinaryCache cache = cache();
    Long loaded = cache == null ? null : loadCached(cache, key(source.text(module), arguments()));
    return loaded != null ? loaded : driver.load(compilation.binary(module));
  }

  /**
   * Compiles a module and puts the binary into the cache. Any thread may call this method if {@link
   * Driver#compilesConcurrently}.
   *
   * @throws DriverException if the module does not compile
   */
  byte[] binary(int module) {
    String text = source.text(module);
    List<String> arguments = arguments();
    byte[] binary = driver.compile(text, arguments);
    BinaryCache cache = cache();
    if (cache != null) {
      cache.put(key(text, arguments), binary);
    }
    return binary;
  }

  private @Nullable Long loadCached(BinaryCache cache, byte[] key) {
    byte[] binary = cache.find(key);
    if (binary == null) {
      return null;
    }
    try {
      return driver.load(binary);
    } catch (DriverException e) {
      if (e.kind() != DriverException.Kind.BINARY) {
        throw e;
      }
      // The driver rejects the cached binary; the module is compiled again.
      return null;
    }
  }

  /**
   * Loads all kernels.
   *
   * @throws DriverException if all methods fail
   * @throws FutharkError if a file that the user names cannot be read or written
   */
  long load() {
    Path given = options.binary();
    if (given != null) {
      return driver.load(readBinary(given));
    }
    String text = text();
    List<String> arguments = arguments();
    if (driver.keepsCompiled() && options.cacheFile() == null) {
      return driver.compileAndLoad(text, arguments);
    }
    BinaryCache cache = cache();
    byte[] key = key(text, arguments);
    Long loaded = cache == null ? null : loadCached(cache, key);
    if (loaded != null) {
      return loaded;
    }
    byte[] binary = compile(text, arguments);
    long module = driver.load(binary);
    if (cache != null) {
      cache.put(key, binary);
    }
    return module;
  }

  /** Compiles the kernels to the portable form. */
  byte[] portable() {
    byte[] binary = driver.portable(text(), arguments());
    return driver.checksPortable()
        ? KernelChecksum.sign(binary, source.kernels())
        : KernelChecksum.put(binary, source.kernels());
  }

  private byte[] compile(String text, List<String> arguments) {
    try {
      return driver.compile(text, arguments);
    } catch (DriverException e) {
      KernelSource.Portable portable = source.portable();
      if (e.kind() != DriverException.Kind.NO_COMPILER
          || portable == null
          || options.source() != null) {
        throw e;
      }
      if (!new TreeMap<>(portable.macros()).equals(macros)) {
        throw new DriverException(
            DriverException.Kind.NO_COMPILER,
            e.getMessage()
                + "\nThe program's precompiled kernels are for "
                + portable.macros()
                + ", not for "
                + macros
                + ": leave out the options that change these sizes.");
      }
      return portable.text().getBytes(StandardCharsets.UTF_8);
    }
  }

  private String text() {
    Path given = options.source();
    return given == null
        ? source.text()
        : new String(checked(given, read(given)), StandardCharsets.UTF_8);
  }

  private List<String> arguments() {
    List<String> arguments = new ArrayList<>(source.options());
    macros.forEach((name, value) -> arguments.add("-D" + name + "=" + value));
    arguments.addAll(options.compilerOptions());
    return arguments;
  }

  private byte[] key(String text, List<String> arguments) {
    DeviceInfo info = device.info();
    String key =
        String.join(
            "\n",
            info.api(),
            info.platform(),
            info.name(),
            info.driver(),
            info.architecture(),
            String.join("\n", arguments),
            "",
            text);
    return key.getBytes(StandardCharsets.UTF_8);
  }

  private @Nullable BinaryCache cache() {
    Path file = options.cacheFile();
    if (file != null) {
      return BinaryCache.inFile(file);
    }
    Path folder = options.caching() ? CacheFolder.find("kernels") : null;
    return folder == null ? null : BinaryCache.inFolder(folder);
  }

  private byte[] readBinary(Path file) {
    byte[] contents = read(file);
    if (driver.checksPortable()) {
      return checked(file, contents);
    }
    byte[] binary = KernelChecksum.take(contents, source.kernels());
    if (binary == null) {
      throw new FutharkError(
          "The kernels in " + file + " are damaged, or belong to another program.");
    }
    return binary;
  }

  private byte[] checked(Path file, byte[] contents) {
    if (KernelChecksum.isOfOthers(contents, source.kernels())) {
      throw new FutharkError(
          "The kernels in "
              + file
              + " belong to another program, or to an older version of this one.");
    }
    return contents;
  }

  private static byte[] read(Path file) {
    try {
      return WholeFile.read(file);
    } catch (IOException e) {
      throw new FutharkError("Cannot read " + file + ": " + WholeFile.reason(e) + ".");
    }
  }
}
