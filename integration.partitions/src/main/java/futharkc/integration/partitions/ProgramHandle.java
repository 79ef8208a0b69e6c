package futharkc.integration.partitions;

import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.DeviceProgram;
import futharkc.core.runtime.embed.LibraryFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A library and a target, in a form that engines send to other JVMs. Each JVM reads a library once.
 *
 * @param jar the bytes of the library; null if {@code resource} names it
 * @param resource the name of a resource on the class path with the library; null if {@code jar}
 *     has it
 * @param hash the SHA-256 of the library's bytes, in hexadecimal digits
 * @param target one of the library's targets
 * @param devices the devices
 */
@SuppressWarnings("ArrayRecordComponent") // Handles are compared by their hash alone.
public record ProgramHandle(
    byte @Nullable [] jar,
    @Nullable String resource,
    String hash,
    String target,
    DevicePolicy devices)
    implements Serializable {
  private static final ConcurrentMap<String, LibraryFile> LOADED = new ConcurrentHashMap<>();

  /**
   * Returns a handle that contains a library.
   *
   * @throws IOException if the file cannot be read
   */
  public static ProgramHandle ofFile(Path jar, String target, DevicePolicy devices)
      throws IOException {
    return ofBytes(Files.readAllBytes(jar), target, devices);
  }

  /** Returns a handle that contains a library. */
  public static ProgramHandle ofBytes(byte[] jar, String target, DevicePolicy devices) {
    return new ProgramHandle(jar.clone(), null, sha256(jar), target, devices);
  }

  /**
   * Returns a handle of a library on the class path of every JVM. The library in this JVM fixes the
   * hash.
   *
   * @param name the name of the resource, without a leading slash
   * @throws IOException if there is no such resource
   */
  public static ProgramHandle ofResource(String name, String target, DevicePolicy devices)
      throws IOException {
    return new ProgramHandle(null, name, sha256(resource(name)), target, devices);
  }

  private static byte[] resource(String name) throws IOException {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    try (InputStream in =
        context == null
            ? ClassLoader.getSystemResourceAsStream(name)
            : context.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("there is no resource " + name + " on the class path");
      }
      return in.readAllBytes();
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /**
   * Returns the library, which the first call in this JVM reads.
   *
   * @throws IllegalStateException if the library has another hash, or cannot be read
   */
  public LibraryFile library() {
    return LOADED.computeIfAbsent(hash, h -> read());
  }

  private LibraryFile read() {
    try {
      byte[] bytes = jar == null ? resource(String.valueOf(resource)) : jar;
      if (!sha256(bytes).equals(hash)) {
        throw new IllegalStateException(
            (resource == null ? "the library" : resource)
                + " differs from the library of the job: its hash is "
                + sha256(bytes)
                + ", not "
                + hash);
      }
      return LibraryFile.of(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns a selection for each device that may run the program, in order; empty for programs on
   * CPUs.
   */
  public List<DeviceOptions> deviceOptions() {
    if (!(instance() instanceof DeviceProgram program)) {
      return List.of();
    }
    List<String> names = devices.names();
    if (names.isEmpty()) {
      int count = Math.max(1, program.api().devices().size());
      names = IntStream.range(0, count).mapToObj(i -> "#" + i).toList();
    }
    return names.stream().map(name -> new DeviceOptions.Builder().device(name).build()).toList();
  }

  /**
   * Returns an entry point of the program.
   *
   * @throws IllegalArgumentException if the program has no such entry point; the message names all
   *     entry points
   */
  public EntryPoint entry(String name) {
    FutharkProgram program = instance();
    for (EntryPoint e : program.entryPoints()) {
      if (e.name().equals(name)) {
        return e;
      }
    }
    throw new IllegalArgumentException(
        "Entry point "
            + name
            + " of program "
            + program.name()
            + " does not exist; there are: "
            + String.join(", ", Arrays.stream(program.entryPoints()).map(EntryPoint::name).toList())
            + ".");
  }

  /** Returns a new instance of the program, without a context. */
  FutharkProgram instance() {
    return library().instance(target);
  }

  /** Tests whether two handles have the same library, target and devices. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ProgramHandle h
        && h.hash.equals(hash)
        && h.target.equals(target)
        && h.devices.equals(devices);
  }

  @Override
  public int hashCode() {
    return hash.hashCode() + target.hashCode();
  }

  @Override
  public String toString() {
    return "program " + hash.substring(0, 8) + " for " + target;
  }
}
