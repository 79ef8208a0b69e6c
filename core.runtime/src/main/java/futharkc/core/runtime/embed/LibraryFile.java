package futharkc.core.runtime.embed;

import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceProgram;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * A library that {@code futharkc library} has written, as data. Its programs are loaded by a class
 * loader of their own, so that libraries with equal names do not clash.
 */
public final class LibraryFile {
  private final String program;
  private final String hash;
  private final Map<String, String> targets = new LinkedHashMap<>();
  private final Classes classes;

  private LibraryFile(JarInputStream jar) throws IOException {
    Manifest manifest = jar.getManifest();
    Attributes attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
    program = required(attributes, "Futhark-Program");
    hash = required(attributes, "Futhark-Hash");
    for (String target : required(attributes, "Futhark-Targets").split(" ", -1)) {
      int equals = target.indexOf('=');
      targets.put(target.substring(0, equals), target.substring(equals + 1));
    }
    Map<String, byte[]> files = new HashMap<>();
    for (JarEntry entry = jar.getNextJarEntry(); entry != null; entry = jar.getNextJarEntry()) {
      files.put(entry.getName(), jar.readAllBytes());
    }
    classes = new Classes(files);
  }

  private static String required(Attributes attributes, String name) throws IOException {
    String value = attributes.getValue(name);
    if (value == null) {
      throw new IOException("not a library of futharkc: its manifest lacks " + name);
    }
    return value;
  }

  /**
   * Reads a library.
   *
   * @throws IOException if the file cannot be read or is not a library
   */
  public static LibraryFile of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new LibraryFile(new JarInputStream(in));
    }
  }

  /**
   * Reads a library from the bytes of its jar.
   *
   * @throws IOException if the bytes are not a library
   */
  public static LibraryFile of(byte[] jar) throws IOException {
    return new LibraryFile(new JarInputStream(new ByteArrayInputStream(jar)));
  }

  /** Returns the name of the program. */
  public String program() {
    return program;
  }

  /** Returns the hash of the program's sources. */
  public String hash() {
    return hash;
  }

  /** Returns the targets of the library, the preferred first. */
  public List<String> targets() {
    return List.copyOf(targets.keySet());
  }

  /**
   * Returns a new instance of the program, without a context.
   *
   * @param target one of {@link #targets}
   * @throws IllegalArgumentException if the library was not compiled for the target
   * @throws IllegalStateException if the code cannot be loaded
   */
  public FutharkProgram instance(String target) {
    String name = targets.get(target);
    if (name == null) {
      throw new IllegalArgumentException(
          program + " was compiled for " + String.join(", ", targets.keySet()) + ", not " + target);
    }
    try {
      return (FutharkProgram) classes.loadClass(name).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the code of " + program + " cannot be loaded: " + e, e);
    }
  }

  /**
   * Loads the program. Closing the program closes its device.
   *
   * @param settings the settings; the number of calls has no effect, since a loaded program runs
   *     one call at a time
   * @throws FutharkError if this machine can run none of the targets, or not the target that the
   *     settings name
   * @throws IllegalArgumentException if the library was not compiled for the target that the
   *     settings name
   */
  public LoadedProgram load(ProgramSettings settings) {
    String wanted = settings.target();
    List<String> tried = wanted == null ? targets() : List.of(wanted);
    List<FutharkError> failures = new ArrayList<>();
    for (String target : tried) {
      try {
        return load(target, settings);
      } catch (FutharkError e) {
        failures.add(e);
      }
    }
    FutharkError last = failures.removeLast();
    failures.forEach(last::addSuppressed);
    throw last;
  }

  private LoadedProgram load(String target, ProgramSettings settings) {
    FutharkProgram instance = instance(target);
    Context.Builder builder = Context.of(instance, settings.messages());
    if (instance instanceof DeviceProgram on) {
      builder.accelerator(() -> Device.open(on.api(), settings.device()));
    }
    settings.context().accept(builder);
    return new LoadedProgram(instance, builder.build());
  }

  /** A class loader of the files of a library. */
  private static final class Classes extends ClassLoader {
    private final Map<String, byte[]> files;

    Classes(Map<String, byte[]> files) {
      super(Objects.requireNonNull(FutharkProgram.class.getClassLoader()));
      this.files = files;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] code = files.get(name.replace('.', '/') + ".class");
      if (code == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, code, 0, code.length);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
      byte[] content = files.get(name);
      return content == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(content);
    }
  }
}
