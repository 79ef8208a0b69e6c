package futharkc.tools.doc;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.language.Prelude;
import futharkc.core.language.index.ProgramIndex;
import futharkc.core.language.index.Symbol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files of a library with their names and types. */
final class Library {
  private static final String EXTENSION = ".fut";
  private static final String PRELUDE_FOLDER = "/prelude/";

  /** The name of the file that imports all files. It exists in memory only. */
  private static final String ROOT = "futharkc documentation";

  private final ProgramIndex index;
  private final Map<String, String> texts;
  private final List<LibraryFile> files;
  private final Map<String, LibraryFile> byPath = new HashMap<>();

  private Library(ProgramIndex index, Map<String, String> texts, List<LibraryFile> files) {
    this.index = index;
    this.texts = texts;
    this.files = List.copyOf(files);
    files.forEach(f -> byPath.put(f.path(), f));
  }

  /**
   * Reads and checks all programs below a folder, and the files that they import.
   *
   * @throws IOException if the folder cannot be read or has no program
   * @throws ProgramRejectedException if a program has an error
   */
  static Library read(Path folder) throws IOException {
    Path base = folder.normalize();
    List<String> names = names(base);
    if (names.isEmpty()) {
      throw new IOException(folder + ": no file below this folder has a name that ends in .fut.");
    }
    String prefix = base.toString().isEmpty() ? "" : base + "/";
    Map<String, String> texts = new HashMap<>();
    Source root =
        Source.ofText(prefix + ROOT + EXTENSION, imports(names))
            .withImports(path -> text(path, texts));
    ProgramIndex index = Compiler.analyse(root);
    Set<String> below = new HashSet<>();
    names.forEach(n -> below.add(prefix + n + EXTENSION));
    List<LibraryFile> files = new ArrayList<>();
    Set<String> pages = new HashSet<>(Set.of("index.html", "doc-index.html"));
    for (String path : index.files()) {
      boolean ignored =
          index.documentation(path).map(d -> d.strip().equals("ignore")).orElse(false);
      if (!path.equals(prefix + ROOT + EXTENSION) && !ignored) {
        files.add(file(path, prefix, below, pages));
      }
    }
    return new Library(index, texts, files);
  }

  /** Returns the paths of all programs below a folder, relative and without extension, sorted. */
  private static List<String> names(Path folder) throws IOException {
    Path start = folder.toString().isEmpty() ? Path.of(".") : folder;
    if (!Files.isDirectory(start)) {
      throw new IOException(folder + ": there is no such folder.");
    }
    try (Stream<Path> found = Files.walk(start)) {
      return found
          .filter(Files::isRegularFile)
          .map(p -> start.relativize(p).toString().replace('\\', '/'))
          .filter(p -> p.endsWith(EXTENSION))
          .map(p -> p.substring(0, p.length() - EXTENSION.length()))
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static String imports(List<String> names) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      text.append("module file").append(i).append(" = import \"").append(names.get(i));
      text.append("\"\n");
    }
    return text.toString();
  }

  private static @Nullable String text(String path, Map<String, String> texts) {
    if (!Files.isRegularFile(Path.of(path))) {
      return null;
    }
    return texts.computeIfAbsent(
        path,
        p -> {
          try {
            return Source.ofFile(Path.of(p)).text();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static LibraryFile file(
      String path, String prefix, Set<String> below, Set<String> pages) {
    boolean prelude = path.startsWith(PRELUDE_FOLDER);
    String title = path.substring(prelude ? 1 : 0, path.length() - EXTENSION.length());
    if (!prelude && title.startsWith(prefix)) {
      title = title.substring(prefix.length());
    }
    String place = title;
    while (place.startsWith("../") || place.startsWith("/")) {
      place = place.substring(place.indexOf('/') + 1);
    }
    String page = place + ".html";
    while (!pages.add(page)) {
      page = page.replaceFirst("\\.html$", "_.html");
    }
    LibraryFile.Kind kind =
        prelude
            ? LibraryFile.Kind.PRELUDE
            : below.contains(path) ? LibraryFile.Kind.MAIN : LibraryFile.Kind.IMPORTED;
    return new LibraryFile(path, title, page, kind);
  }

  ProgramIndex index() {
    return index;
  }

  /** Returns the documented files, each after the files that it imports. */
  List<LibraryFile> files() {
    return files;
  }

  /** Returns the file with a path, or null if the file is not documented. */
  @Nullable LibraryFile file(String path) {
    return byPath.get(path);
  }

  /** Returns the text of a file. */
  String text(LibraryFile file) {
    if (file.kind() == LibraryFile.Kind.PRELUDE) {
      String name = file.title().substring(PRELUDE_FOLDER.length() - 1);
      return Prelude.source(name).orElse("");
    }
    return texts.getOrDefault(file.path(), "");
  }

  /**
   * Returns the definitions that users of a file see. A file of the prelude shows only the
   * definitions that programs see.
   */
  Set<Symbol> visible(LibraryFile file) {
    Set<Symbol> visible = Collections.newSetFromMap(new IdentityHashMap<>());
    visible.addAll(index.exports(file.path()));
    if (file.kind() == LibraryFile.Kind.PRELUDE) {
      visible.retainAll(index.exports(PRELUDE_FOLDER + Prelude.MAIN + EXTENSION));
    }
    return visible;
  }
}
