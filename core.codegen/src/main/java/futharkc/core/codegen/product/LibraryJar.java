package futharkc.core.codegen.product;

import futharkc.core.codegen.Backend;
import futharkc.core.codegen.binding.BindingWriter;
import futharkc.core.codegen.binding.LibraryManifest;
import futharkc.core.runtime.FutharkProgram;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.constant.ModuleDesc;
import java.lang.constant.PackageDesc;
import java.lang.reflect.AccessFlag;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.lang.model.SourceVersion;

/**
 * A library: a program for one or several targets, its typed class, and a manifest. As a jar, it is
 * a module that depends on the run-time library alone.
 */
public final class LibraryJar {
  private static final List<Library> RUNTIME =
      List.of(new Library(FutharkProgram.class, List.of()));

  private final String packageName;
  private final Map<String, String> sources;
  private final Map<String, byte[]> codeFiles = new TreeMap<>();
  private final Map<String, String> attributes;
  private final String manifest;
  private final String manifestPath;

  /**
   * Compiles the code of all targets.
   *
   * @param packageName the package of the typed class, which is the name of the module
   * @param products the compiled program for each target, the preferred target first
   * @param hash the hash of the program's sources
   * @param version the version of the compiler
   * @throws UnsupportedOperationException if a target makes no libraries
   */
  public LibraryJar(
      String packageName,
      Map<String, Backend.Product> products,
      BindingWriter.Documentation documentation,
      String hash,
      String version) {
    this.packageName = packageName;
    Map<String, String> codes = new LinkedHashMap<>();
    products.forEach(
        (target, product) -> {
          Backend.ProgramClasses made =
              product.classes(packageName + ".internal." + target.replaceAll("\\W", "_"));
          codes.put(target, made.program());
          codeFiles.putAll(made.files());
        });
    FutharkProgram program = instance(codes.values().iterator().next());
    BindingWriter writer = new BindingWriter(program, packageName, codes, documentation);
    sources = writer.sources();
    LibraryManifest content =
        new LibraryManifest(program, packageName, writer, codes, documentation, hash, version);
    manifest = content.json();
    manifestPath = "META-INF/futhark/" + packageName + "." + writer.className() + ".json";
    attributes = content.attributes();
  }

  /**
   * Checks that a text is the name of a package.
   *
   * @throws IllegalArgumentException if it is not
   */
  public static void checkPackage(String packageName) {
    if (!SourceVersion.isName(packageName)) {
      throw new IllegalArgumentException("'" + packageName + "' is not the name of a package");
    }
  }

  private FutharkProgram instance(String name) {
    Map<String, byte[]> classes = new TreeMap<>();
    codeFiles.forEach(
        (path, bytes) -> {
          if (path.endsWith(".class")) {
            classes.put(path.substring(0, path.length() - 6).replace('/', '.'), bytes);
          }
        });
    return GeneratedLoader.load(classes, name, FutharkProgram.class.getClassLoader());
  }

  /** Returns the Java source of the typed class and the classes of its types, by path. */
  public Map<String, String> sources() {
    return Map.copyOf(sources);
  }

  /**
   * Returns the files that a build adds to the compiled {@link #sources}: the code of all targets
   * and the manifest, by path.
   */
  public Map<String, byte[]> resources() {
    Map<String, byte[]> files = new TreeMap<>(codeFiles);
    files.put(manifestPath, manifest.getBytes(StandardCharsets.UTF_8));
    return files;
  }

  /**
   * Writes the jar, and next to it a jar of the {@link #sources} for editors, whose name ends in
   * {@code -sources.jar}.
   *
   * @param file the jar
   * @throws IOException if a file cannot be written
   */
  public void write(Path file) throws IOException {
    Map<String, byte[]> entries = new TreeMap<>(resources());
    JavaCompilation.compile(sources, RUNTIME, "-g:source,lines", "-parameters")
        .forEach((name, code) -> entries.put(name.replace('.', '/') + ".class", code));
    entries.put("module-info.class", moduleInfo());
    writeJar(file, attributes, entries);
    Map<String, byte[]> texts = new TreeMap<>();
    sources.forEach((path, text) -> texts.put(path, text.getBytes(StandardCharsets.UTF_8)));
    String name = file.getFileName().toString();
    String stem = name.endsWith(".jar") ? name.substring(0, name.length() - 4) : name;
    writeJar(file.resolveSibling(stem + "-sources.jar"), Map.of(), texts);
  }

  private byte[] moduleInfo() {
    ModuleDesc runtime = ModuleDesc.of(FutharkProgram.class.getPackageName());
    return ClassFile.of()
        .buildModule(
            ModuleAttribute.of(
                ModuleDesc.of(packageName),
                module ->
                    module
                        .requires(ModuleDesc.of("java.base"), List.of(AccessFlag.MANDATED), null)
                        .requires(runtime, List.of(AccessFlag.TRANSITIVE), null)
                        .exports(PackageDesc.of(packageName), List.of())));
  }

  private static void writeJar(Path file, Map<String, String> attributes, Map<String, byte[]> files)
      throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IOException("cannot write " + file + ": there is no folder " + folder);
    }
    StringBuilder head = new StringBuilder("Manifest-Version: 1.0\r\n");
    attributes.forEach((name, value) -> head.append(LibraryManifest.attribute(name, value)));
    Path temporary =
        folder.resolve("." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
    try {
      try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(temporary))) {
        put(jar, "META-INF/MANIFEST.MF", (head + "\r\n").getBytes(StandardCharsets.UTF_8));
        for (Map.Entry<String, byte[]> e : files.entrySet()) {
          put(jar, e.getKey(), e.getValue());
        }
      }
      Executable.publish(temporary, file);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static void put(JarOutputStream jar, String name, byte[] content) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(0);
    jar.putNextEntry(entry);
    jar.write(content);
    jar.closeEntry();
  }
}
