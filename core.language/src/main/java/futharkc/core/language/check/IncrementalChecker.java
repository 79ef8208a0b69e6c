package futharkc.core.language.check;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.parser.ImportNames;
import futharkc.core.language.rules.DerivativeCheck;
import futharkc.core.language.rules.EntryPointCheck;
import futharkc.core.language.rules.LintCheck;
import futharkc.core.language.syntax.SourceFile;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * A checker that keeps its results between checks of a program. A check begins at the first file
 * that differs from the last check. An object serves one thread at a time.
 */
public final class IncrementalChecker {
  /**
   * The result for one file.
   *
   * @param definitions the definitions without errors, also those within modules
   */
  public record CheckedFile(
      SourceFile file, List<Diagnostic> diagnostics, List<ValDef> definitions) {}

  /** The state after the check of a file. */
  private record Checkpoint(
      SourceFile file,
      boolean main,
      CheckedFile result,
      CheckContext.State state,
      Map<String, ModuleEnv> environments) {}

  private final PreludeEnvironment base = Checker.BaseHolder.BASE;
  private final CheckContext cx =
      new CheckContext(base.cx().names.copy(), new Diagnostics());
  private final CheckContext.State start;
  private final List<Checkpoint> checkpoints = new ArrayList<>();

  /** Creates a checker without results. */
  public IncrementalChecker() {
    cx.liftedness.putAll(base.cx().liftedness);
    cx.typeDefs.putAll(base.cx().typeDefs);
    cx.typesOnly = true;
    start = cx.save();
  }

  /** Tests whether a name denotes a file of the prelude, which needs no check. */
  public boolean isPrelude(String name) {
    return Checker.prelude(base, name) != null;
  }

  /** Returns all definitions of the prelude. */
  public List<ValDef> preludeDefinitions() {
    List<ValDef> definitions = new ArrayList<>();
    for (Name name : base.defs().names()) {
      ValDef def = base.defs().get(name);
      if (def != null) {
        definitions.add(def);
      }
    }
    return definitions;
  }

  /**
   * Checks a program without syntax errors on the calling thread, whose stack must be large enough
   * for deep programs.
   *
   * @param files the files of the program, each after the files that it imports; the last file is
   *     the main file. The same object means that a file is unchanged
   * @param cancelled a test whether the check has become needless
   * @return the results of the files; files after an error that ends the check are missing
   * @throws CancellationException if the check is cancelled
   */
  public List<CheckedFile> check(List<SourceFile> files, BooleanSupplier cancelled) {
    int kept = 0;
    while (kept < checkpoints.size()
        && kept < files.size()
        && checkpoints.get(kept).file == files.get(kept)
        && checkpoints.get(kept).main == (kept == files.size() - 1)) {
      kept++;
    }
    checkpoints.subList(kept, checkpoints.size()).clear();
    cx.cancelled = cancelled;
    for (int i = kept; i < files.size(); i++) {
      if (!check(files.get(i), i == files.size() - 1)) {
        break;
      }
    }
    return checkpoints.stream().map(Checkpoint::result).toList();
  }

  /** Checks one file. Returns false if the check of the program ends with this file. */
  private boolean check(SourceFile file, boolean main) {
    Map<String, ModuleEnv> environments = new HashMap<>();
    if (checkpoints.isEmpty()) {
      cx.restore(start);
    } else {
      cx.restore(checkpoints.getLast().state);
      environments.putAll(checkpoints.getLast().environments);
    }
    cx.diagnostics = new Diagnostics();
    List<ValDef> definitions = new ArrayList<>();
    cx.observer = definitions::add;
    ModuleChecker checker =
        new ModuleChecker(
            cx,
            (path, loc) -> environment(ImportNames.resolve(file.name(), path), environments),
            new ArrayList<>(),
            (dec, def) -> {
              LintCheck.check(def, TypePrinter::show, cx.diagnostics);
              DerivativeCheck.check(def, cx.diagnostics);
              if (main && (dec.entry() || dec.name().equals("main"))) {
                EntryPointCheck.check(def, cx.typeDefs, cx.diagnostics);
              }
            });
    boolean complete = true;
    try {
      environments.put(
          file.name(), checker.decs(file.decs(), new LexicalScope(base.scope()), true));
    } catch (DiagnosticException e) {
      complete = false;
      if (!cx.diagnostics.hasErrors()) {
        cx.diagnostics.report(e);
      }
    }
    CheckedFile result = new CheckedFile(file, cx.diagnostics.all(), List.copyOf(definitions));
    checkpoints.add(new Checkpoint(file, main, result, cx.save(), Map.copyOf(environments)));
    return complete;
  }

  private ModuleEnv environment(String name, Map<String, ModuleEnv> environments) {
    ModuleEnv prelude = Checker.prelude(base, name);
    ModuleEnv env = prelude == null ? environments.get(name) : prelude;
    if (env == null) {
      throw new IllegalStateException(name + " is not loaded");
    }
    return env;
  }
}
