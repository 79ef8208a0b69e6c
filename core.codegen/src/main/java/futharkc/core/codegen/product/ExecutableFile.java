package futharkc.core.codegen.product;

import futharkc.core.codegen.java.JavaEmitter;
import futharkc.core.runtime.BuildVersion;
import futharkc.core.runtime.FutharkProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** A loader of the program in an executable that this compiler has made. */
public final class ExecutableFile {
  private static final String VERSION = "futharkc/core/runtime/version.txt";

  private static final String CLASS = ".class";

  private ExecutableFile() {}

  /**
   * Loads the program of an executable. The program uses the run-time library of this process.
   *
   * @throws IOException if the file cannot be read, or is no executable of this version of the
   *     compiler; the message is for users
   */
  public static FutharkProgram load(Path file) throws IOException {
    try (ZipFile jar = new ZipFile(file.toFile())) {
      ZipEntry version = jar.getEntry(VERSION);
      if (version == null) {
        throw new IOException(file + " is not an executable of futharkc.");
      }
      String made = new String(bytes(jar, version), StandardCharsets.UTF_8).strip();
      if (!made.equals(BuildVersion.text())) {
        throw new IOException(
            file
                + " was made by futharkc "
                + made
                + ", and this is futharkc "
                + BuildVersion.text()
                + ". Compile the program again.");
      }
      String folder = JavaEmitter.PACKAGE.replace('.', '/') + "/";
      Map<String, byte[]> classes = new HashMap<>();
      for (ZipEntry entry : jar.stream().toList()) {
        String name = entry.getName();
        if (name.startsWith(folder) && name.endsWith(CLASS)) {
          String type = name.substring(0, name.length() - CLASS.length()).replace('/', '.');
          classes.put(type, bytes(jar, entry));
        }
      }
      return GeneratedLoader.load(
          classes,
          JavaEmitter.PACKAGE + "." + JavaEmitter.PROGRAM,
          ExecutableFile.class.getClassLoader());
    } catch (ZipException e) {
      throw new IOException(file + " is not an executable of futharkc.", e);
    }
  }

  private static byte[] bytes(ZipFile jar, ZipEntry entry) throws IOException {
    try (var in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }
}
