package futharkc.core.language.parser;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.parser.ImportNames.Reference;
import futharkc.core.language.parser.ImportResolver.Source;
import futharkc.core.language.syntax.SourceFile;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The loader of files and their transitive imports. */
public final class Loader {
  private final ImportResolver resolver;
  private final Predicate<String> present;
  private final FileParser parser;
  private final Diagnostics sink;
  private final Map<String, SourceFile> loaded = new LinkedHashMap<>();
  private final Map<String, String> texts = new LinkedHashMap<>();
  private final Set<String> failed = new HashSet<>();

  /** The files being loaded, each before the files that it imports, with their pending imports. */
  private final Deque<Pending> pending = new ArrayDeque<>();

  /**
   * Creates a loader.
   *
   * @param present a predicate for names that are already loaded, such as those of the prelude
   * @param sink the collector of syntax errors, missing files and cyclic imports
   */
  public Loader(ImportResolver resolver, Predicate<String> present, Diagnostics sink) {
    this(resolver, present, Parser::parse, sink);
  }

  /** Creates a loader with another parser, such as a parser that keeps unchanged files. */
  public Loader(
      ImportResolver resolver, Predicate<String> present, FileParser parser, Diagnostics sink) {
    this.resolver = resolver;
    this.present = present;
    this.parser = parser;
    this.sink = sink;
  }

  /** A parser of one file. */
  @FunctionalInterface
  public interface FileParser {
    /** Parses a file like {@link Parser#parse}. */
    SourceFile parse(String name, String path, String text, Diagnostics sink);
  }

  private record Pending(SourceFile file, Iterator<Reference> imports) {}

  /**
   * Loads a file and its transitive imports, unless they are already loaded.
   *
   * @param name a name that {@link ImportNames#resolve} returned
   */
  public void load(String name) {
    if (!loaded.containsKey(name)) {
      open(name, new Reference(name, Loc.NONE));
    }
    while (!pending.isEmpty()) {
      Pending top = pending.getLast();
      if (!top.imports.hasNext()) {
        pending.removeLast();
        loaded.put(top.file.name(), top.file);
        continue;
      }
      Reference next = top.imports.next();
      String imported = ImportNames.resolve(top.file.name(), next.path());
      if (present.test(imported)) {
        continue;
      }
      if (isPending(imported)) {
        reportCycle(imported, next);
      } else if (!loaded.containsKey(imported)) {
        open(imported, next);
      }
    }
  }

  /** Returns all loaded files, each after the files that it imports. */
  public List<SourceFile> files() {
    return List.copyOf(loaded.values());
  }

  /** Returns the text of a file, given its path in messages. */
  public Optional<String> text(String path) {
    return Optional.ofNullable(texts.get(path));
  }

  private void open(String name, Reference reference) {
    if (failed.contains(name)) {
      return;
    }
    try {
      Optional<Source> source = resolver.find(name);
      if (source.isPresent()) {
        texts.put(source.get().path(), source.get().text());
        SourceFile file = parser.parse(name, source.get().path(), source.get().text(), sink);
        pending.addLast(new Pending(file, ImportNames.of(file).iterator()));
        return;
      }
      sink.report(missing(name, reference));
    } catch (IOException e) {
      String message = "Cannot read \"" + reference.path() + "\": " + e.getMessage() + ".";
      sink.report(Diagnostic.error("E0203", reference.loc(), message));
    }
    failed.add(name);
  }

  private static Diagnostic missing(String name, Reference reference) {
    String message = "Could not find file \"" + reference.path() + "\".";
    Diagnostic result = Diagnostic.error("E0201", reference.loc(), message);
    if (reference.path().endsWith(".fut")) {
      return result.hint("Imports are written without the extension '.fut'.");
    }
    return name.equals(reference.path())
        ? result
        : result.note("The resolved path is " + name + ".fut.");
  }

  private boolean isPending(String name) {
    return pending.stream().anyMatch(p -> p.file.name().equals(name));
  }

  private void reportCycle(String name, Reference reference) {
    List<String> cycle = new ArrayList<>();
    for (Pending p : pending) {
      if (!cycle.isEmpty() || p.file.name().equals(name)) {
        cycle.add(p.file.name());
      }
    }
    cycle.add(name);
    String message = "Import cycle: " + String.join(" imports ", cycle) + ".";
    sink.report(Diagnostic.error("E0202", reference.loc(), message));
  }
}
