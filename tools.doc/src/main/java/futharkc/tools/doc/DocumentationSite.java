package futharkc.tools.doc;

import futharkc.core.driver.failure.ProgramRejectedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The documentation of a library as a site of web pages: a page for each file, its source text, an
 * index of files and an index of names. The site needs no server.
 */
public final class DocumentationSite {
  private static final List<String> RESOURCES = List.of("style.css", "search.js");

  private final Path output;
  private final Consumer<String> log;

  /**
   * Creates a writer.
   *
   * @param output the folder of the site; the writer creates it and replaces its files
   * @param log a receiver of the path of each file before it is written
   */
  public DocumentationSite(Path output, Consumer<String> log) {
    this.output = output;
    this.log = log;
  }

  /**
   * Documents all programs below a folder, and the files that they import. A file whose comment at
   * the beginning is the word {@code ignore} gets no page.
   *
   * @return the warnings about names in comments
   * @throws IOException if a file cannot be read or written, or the folder has no program
   * @throws ProgramRejectedException if a program has an error
   */
  public List<String> write(Path folder) throws IOException {
    Library library = Library.read(folder);
    Entries entries = new Entries(library);
    Path named = folder.toAbsolutePath().normalize().getFileName();
    String name = named == null ? "Library" : named.toString();
    List<String> warnings = new ArrayList<>();
    for (LibraryFile file : library.files()) {
      String content = new FilePage(library, entries, file, warnings::add).content();
      page(file.page(), name, file.title(), content);
      String source = SourcePage.content(library, entries, file);
      page(file.sourcePage(), name, file.title(), source);
    }
    page("index.html", name, name, StartPage.content(library));
    page("doc-index.html", name, "All names", NamesPage.content(entries));
    write("search-index.js", SearchIndex.script(entries));
    for (String resource : RESOURCES) {
      try (InputStream in = DocumentationSite.class.getResourceAsStream(resource)) {
        if (in == null) {
          throw new IOException(resource + " is missing in the compiler.");
        }
        write(resource, new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return warnings;
  }

  private void page(String page, String library, String title, String content) throws IOException {
    write(page, PageFrame.html(page, library, title, content));
  }

  private void write(String name, String text) throws IOException {
    Path file = output.resolve(name);
    log.accept(file.toString());
    Path parent = file.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, text);
  }
}
