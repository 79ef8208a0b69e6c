package futharkc.core.codegen.product;

import futharkc.core.runtime.FutharkProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A set of files of a module, which generated code is compiled against and executables contain.
 *
 * @param member a class of the module
 * @param prefixes the prefixes of the files' names, such as {@code futharkc/core/runtime/}
 * @param without the prefixes of names to exclude
 */
public record Library(Class<?> member, List<String> prefixes, List<String> without) {
  /** The files of the run-time library that all programs need. */
  static final Library RUNTIME =
      new Library(
          FutharkProgram.class,
          List.of("futharkc/core/runtime/"),
          Stream.concat(
                  Stream.of("device/", "embed/"),
                  Stream.of(
                          "DeviceMain",
                          "DeviceSettings",
                          "ProgramOptions",
                          "AsyncDeviceOpen",
                          "JitWarmUp",
                          "DeviceGroup",
                          "ServedGroup",
                          "SplitEntry")
                      .map("executable/"::concat))
              .map("futharkc/core/runtime/"::concat)
              .toList());

  /** The files of the run-time library that programs on devices need. */
  static final Library DEVICE_RUNTIME =
      new Library(
          FutharkProgram.class,
          List.of("futharkc/core/runtime/"),
          List.of("futharkc/core/runtime/embed/"));

  public Library {
    prefixes = List.copyOf(prefixes);
    without = List.copyOf(without);
  }

  /** Creates a library of all files with these prefixes. */
  public Library(Class<?> member, List<String> prefixes) {
    this(member, prefixes, List.of());
  }

  /** Returns the jar or folder that contains the files. */
  Path location() {
    ModuleReference module = module();
    try {
      return module == null
          ? Path.of(member.getProtectionDomain().getCodeSource().getLocation().toURI())
          : Path.of(module.location().orElseThrow());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the library of " + member + " cannot be found", e);
    }
  }

  private @Nullable ModuleReference module() {
    Module m = member.getModule();
    return m.isNamed()
        ? m.getLayer().configuration().findModule(m.getName()).orElseThrow().reference()
        : null;
  }

  /** Returns all files by path. */
  Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    ModuleReference module = module();
    if (module == null) {
      Path folder = location();
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path p : all.sorted().toList()) {
          String name = folder.relativize(p).toString();
          if (isWanted(name) && Files.isRegularFile(p)) {
            files.put(name, Files.readAllBytes(p));
          }
        }
      }
      return files;
    }
    try (ModuleReader reader = module.open()) {
      List<String> names;
      try (Stream<String> list = reader.list()) {
        names = list.filter(this::isWanted).sorted().toList();
      }
      for (String name : names) {
        ByteBuffer b =
            reader.read(name).orElseThrow(() -> new UncheckedIOException(new IOException(name)));
        byte[] bytes = new byte[b.remaining()];
        b.get(bytes);
        reader.release(b);
        files.put(name, bytes);
      }
    }
    return files;
  }

  private boolean isWanted(String name) {
    return prefixes.stream().anyMatch(name::startsWith)
        && without.stream().noneMatch(name::startsWith)
        && !name.endsWith("/")
        && !name.endsWith("-info.class");
  }
}
