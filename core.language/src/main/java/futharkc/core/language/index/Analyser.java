package futharkc.core.language.index;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.Prelude;
import futharkc.core.language.check.IncrementalChecker;
import futharkc.core.language.parser.ImportNames;
import futharkc.core.language.parser.ImportResolver;
import futharkc.core.language.parser.Loader;
import futharkc.core.language.parser.Parser;
import futharkc.core.language.syntax.SourceFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The analysis of a program that is checked again after each change. An unchanged file is not parsed
 * again. A file is not checked again if the file and all files before it are unchanged. An object
 * serves one thread at a time.
 */
public final class Analyser {
  /**
   * The result of an analysis.
   *
   * @param diagnostics the errors and warnings of all files
   * @param index the names of all files, and the types of the files without syntax errors
   */
  public record Analysis(List<Diagnostic> diagnostics, ProgramIndex index) {
    public Analysis {
      diagnostics = List.copyOf(diagnostics);
    }

    /** Tests whether the program has no errors. */
    public boolean isAccepted() {
      return diagnostics.stream().noneMatch(Diagnostic::isError);
    }
  }

  /** A parsed file. */
  private record Parsed(String text, SourceFile file, List<Diagnostic> errors) {}

  private final IncrementalChecker checker = new IncrementalChecker();
  private final Map<String, FileNames> prelude = new LinkedHashMap<>();
  private @Nullable TypeIndex preludeTypes;
  private final Map<String, Parsed> parsed = new HashMap<>();

  /** The types in the definitions of each checked file. */
  private Map<IncrementalChecker.CheckedFile, TypeIndex> types = new IdentityHashMap<>();

  /** Creates an analyser without results. */
  public Analyser() {}

  /**
   * Analyses a program on the calling thread, whose stack must be large enough for deep programs.
   *
   * @param path the path of the main file; imports are relative to it
   * @param reader a function from a file's path to its text, or null if the file does not exist
   * @param cancelled a test whether the analysis has become needless
   * @throws CancellationException if the analysis is cancelled
   */
  public Analysis analyse(
      String path, Function<String, @Nullable String> reader, BooleanSupplier cancelled) {
    Loaded program = load(path, reader);
    List<Diagnostic> diagnostics = new ArrayList<>(program.diagnostics.all());
    Map<String, TypeIndex> typed = new HashMap<>();
    if (!program.diagnostics.hasErrors()) {
      Map<IncrementalChecker.CheckedFile, TypeIndex> last = types;
      types = new IdentityHashMap<>();
      for (IncrementalChecker.CheckedFile r : checker.check(program.files, cancelled)) {
        diagnostics.addAll(r.diagnostics());
        TypeIndex index = last.get(r);
        types.put(r, index == null ? new TypeIndex(r.definitions()) : index);
        typed.put(r.file().path(), types.get(r));
      }
    }
    return new Analysis(diagnostics, index(program, typed));
  }

  /**
   * Resolves the names of a program without a check of types.
   *
   * @param path the path of the main file; imports are relative to it
   * @param reader a function from a file's path to its text, or null if the file does not exist
   */
  public Analysis resolve(String path, Function<String, @Nullable String> reader) {
    Loaded program = load(path, reader);
    return new Analysis(program.diagnostics.all(), index(program, Map.of()));
  }

  private ProgramIndex index(Loaded program, Map<String, TypeIndex> typed) {
    return new ProgramIndex(names(program), typed, this::preludeTypes);
  }

  private synchronized TypeIndex preludeTypes() {
    if (preludeTypes == null) {
      preludeTypes = TypeIndex.ofHeads(checker.preludeDefinitions());
    }
    return preludeTypes;
  }

  /** The files of a program with their texts by path, and the syntax errors. */
  private record Loaded(
      List<SourceFile> files, Map<String, String> texts, Diagnostics diagnostics) {}

  private Loaded load(String path, Function<String, @Nullable String> reader) {
    String name = nameOf(path);
    Diagnostics loading = new Diagnostics();
    Map<String, String> texts = new HashMap<>();
    ImportResolver imports = ImportResolver.paths(reader);
    ImportResolver resolver =
        n -> {
          Optional<ImportResolver.Source> source =
              n.equals(name)
                  ? Optional.ofNullable(reader.apply(path))
                      .map(text -> new ImportResolver.Source(path, text))
                  : imports.find(n);
          source.ifPresent(s -> texts.put(s.path(), s.text()));
          return source;
        };
    Loader loader = new Loader(resolver, checker::isPrelude, this::parse, loading);
    loader.load(name);
    parsed.keySet().retainAll(texts.keySet());
    return new Loaded(loader.files(), texts, loading);
  }

  private static String nameOf(String path) {
    return path.endsWith(".fut") ? path.substring(0, path.length() - 4) : path;
  }

  /** Parses a file, or returns the result of the last analysis if the text is the same. */
  private SourceFile parse(String name, String path, String text, Diagnostics sink) {
    Parsed last = parsed.get(path);
    if (last == null || !last.text.equals(text) || !last.file.name().equals(name)) {
      Diagnostics errors = new Diagnostics();
      SourceFile file = Parser.parse(name, path, text, errors);
      last = new Parsed(text, file, errors.all());
      parsed.put(path, last);
    }
    last.errors.forEach(sink::report);
    return last.file;
  }

  // Names

  /** Resolves the names of all files. */
  private Map<String, FileNames> names(Loaded program) {
    Map<String, FileNames> byName = new HashMap<>();
    Map<String, FileNames> byPath = new LinkedHashMap<>(prelude());
    for (SourceFile file : program.files) {
      FileNames names = new FileNames(file, program.texts.getOrDefault(file.path(), ""), scope());
      Function<String, @Nullable Members> importer =
          p -> exports(ImportNames.resolve(file.name(), p), byName);
      new NameResolver(names, importer).file();
      byName.put(file.name(), names);
      byPath.put(file.path(), names);
    }
    return byPath;
  }

  private @Nullable Members exports(String name, Map<String, FileNames> byName) {
    FileNames file = byName.get(name);
    if (file == null && checker.isPrelude(name)) {
      file = prelude().get("/prelude" + name.substring(name.lastIndexOf('/')) + ".fut");
    }
    return file == null ? null : file.exports;
  }

  /** Returns a scope with the names of the prelude. */
  private Scope scope() {
    Scope outer = new Scope(null);
    FileNames main = prelude().get(preludePath(Prelude.MAIN));
    if (main != null) {
      outer.open(main.exports);
    }
    return new Scope(outer);
  }

  private static String preludePath(String name) {
    return "/prelude/" + name + ".fut";
  }

  /** Returns the names of the prelude by path, which the first analysis resolves. */
  private Map<String, FileNames> prelude() {
    if (prelude.isEmpty()) {
      for (String name : Prelude.FILES) {
        String path = preludePath(name);
        String text = Prelude.source(name).orElseThrow();
        SourceFile file = Parser.parse("/prelude/" + name, path, text, new Diagnostics());
        FileNames names = new FileNames(file, text, new Scope(null));
        new NameResolver(
                names,
                imported -> {
                  FileNames other = prelude.get(preludePath(imported));
                  return other == null ? null : other.exports;
                })
            .file();
        prelude.put(path, names);
      }
    }
    return prelude;
  }
}
