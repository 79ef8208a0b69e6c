package futharkc.backend.multicore;

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

/**
 * The run-time library's class files: generated code is compiled against them, and takes them
 * along.
 */
final class RuntimeClasses {
  private RuntimeClasses() {}

  /** The jar or folder that holds them. */
  static Path location() {
    ModuleReference module = module();
    try {
      return module == null
          ? Path.of(
              FutharkProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          : Path.of(module.location().orElseThrow());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the run-time library cannot be found", e);
    }
  }

  private static @org.jspecify.annotations.Nullable ModuleReference module() {
    Module m = FutharkProgram.class.getModule();
    return m.isNamed()
        ? m.getLayer().configuration().findModule(m.getName()).orElseThrow().reference()
        : null;
  }

  /** All of them, by path. */
  static Map<String, byte[]> all() throws IOException {
    Map<String, byte[]> classes = new LinkedHashMap<>();
    ModuleReference module = module();
    if (module == null) {
      Path folder = location();
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path p : files.sorted().toList()) {
          String name = folder.relativize(p).toString();
          if (isWanted(name)) classes.put(name, Files.readAllBytes(p));
        }
      }
      return classes;
    }
    try (ModuleReader reader = module.open()) {
      List<String> names;
      try (Stream<String> list = reader.list()) {
        names = list.filter(RuntimeClasses::isWanted).sorted().toList();
      }
      for (String name : names) {
        ByteBuffer b =
            reader.read(name).orElseThrow(() -> new UncheckedIOException(new IOException(name)));
        byte[] bytes = new byte[b.remaining()];
        b.get(bytes);
        reader.release(b);
        classes.put(name, bytes);
      }
    }
    return classes;
  }

  private static boolean isWanted(String name) {
    return name.endsWith(".class")
        && name.startsWith("futharkc/core/runtime/")
        && !name.endsWith("-info.class");
  }
}
