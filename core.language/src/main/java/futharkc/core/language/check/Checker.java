package futharkc.core.language.check;

import static java.util.Objects.requireNonNull;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.parser.ImportNames;
import futharkc.core.language.parser.ImportResolver;
import futharkc.core.language.parser.Loader;
import futharkc.core.language.rules.DerivativeCheck;
import futharkc.core.language.rules.EntryPointCheck;
import futharkc.core.language.rules.LintCheck;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.Pat;
import futharkc.core.language.syntax.SourceFile;
import futharkc.core.language.typed.EntryPoint;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The checker of a program: its main file and all imported files. */
public final class Checker {
  /** The holder of the prelude, which is loaded on the first check. */
  static final class BaseHolder {
    static final PreludeEnvironment BASE = PreludeEnvironment.load();

    private BaseHolder() {}
  }

  private final PreludeEnvironment base;
  private final CheckContext cx;
  private final Set<String> extraEntries;
  private final Map<String, ModuleEnv> files = new HashMap<>();
  private final List<ValDef> defs = new ArrayList<>();
  private final List<EntryPoint> entries = new ArrayList<>();

  /** The name of the only definition that can be an entry point; null: no restriction. */
  private @Nullable String only;

  private @Nullable ValDef found;

  private Checker(PreludeEnvironment base, Set<String> extraEntries, Diagnostics diagnostics) {
    this.base = base;
    this.extraEntries = extraEntries;
    this.cx = new CheckContext(base.cx().names.copy(), diagnostics);
    cx.liftedness.putAll(base.cx().liftedness);
    cx.typeDefs.putAll(base.cx().typeDefs);
  }

  /**
   * Checks a program.
   *
   * @param path the main file, with extension
   * @param reader a function from a file's path to its text, or null if the file does not exist
   * @param extraEntries functions of the main file that become entry points without a declaration
   * @param diagnostics the collector of errors and warnings
   * @return the program, or null if it has errors
   */
  public static @Nullable Program check(
      String path,
      Function<String, @Nullable String> reader,
      Set<String> extraEntries,
      Diagnostics diagnostics) {
    Checker c = new Checker(BaseHolder.BASE, extraEntries, diagnostics);
    c.files(path, reader);
    return diagnostics.hasErrors() ? null : c.program();
  }

  /**
   * Checks a program for errors and warnings only, which is faster than {@link #check} if the
   * program applies many parametric modules.
   *
   * @return true if an attribute may request warnings of the lowering
   */
  public static boolean report(
      String path,
      Function<String, @Nullable String> reader,
      Set<String> extraEntries,
      Diagnostics diagnostics) {
    Checker c = new Checker(BaseHolder.BASE, extraEntries, diagnostics);
    c.cx.typesOnly = true;
    c.files(path, reader);
    return c.cx.asksForWarnings;
  }

  /**
   * A definition of a program's main file.
   *
   * @param def the definition
   * @param type the text of its type
   * @param program the program with the definition as its only entry point; null if the definition
   *     has parameters, is polymorphic, or has a type that no entry point can return
   */
  public record Definition(ValDef def, String type, @Nullable Program program) {}

  /**
   * Checks a program and returns one of its definitions.
   *
   * @param path the main file, with extension
   * @param reader a function from a file's path to its text, or null if the file does not exist
   * @param name the name of a value or function in the main file
   * @param diagnostics the collector of errors and warnings
   * @return the definition, or null if the program has errors or no such definition
   */
  public static @Nullable Definition definition(
      String path,
      Function<String, @Nullable String> reader,
      String name,
      Diagnostics diagnostics) {
    Checker c = new Checker(BaseHolder.BASE, Set.of(), diagnostics);
    c.only = name;
    c.files(path, reader);
    ValDef def = c.found;
    if (diagnostics.hasErrors() || def == null) {
      return null;
    }
    return new Definition(
        def, TypePrinter.show(def.type()), c.entries.isEmpty() ? null : c.program());
  }

  /**
   * Checks a program and returns the text of the type of a module in its main file.
   *
   * @param name the name of a module that the main file defines
   * @return the text, or null if the program has errors or no such module
   */
  public static @Nullable String moduleType(
      String path,
      Function<String, @Nullable String> reader,
      String name,
      Diagnostics diagnostics) {
    Checker c = new Checker(BaseHolder.BASE, Set.of(), diagnostics);
    c.files(path, reader);
    ModuleEnv main = c.files.get(path.substring(0, path.length() - ".fut".length()));
    return !diagnostics.hasErrors()
            && main != null
            && main.values().get(name) instanceof Entity.Module(Mod module)
        ? ModuleTypePrinter.show(module)
        : null;
  }

  /** Makes the definition with the name {@link #only} an entry point if that is possible. */
  private void find(Dec.Val dec, ValDef def) {
    if (!dec.name().equals(only)) {
      return;
    }
    found = def;
    if (def.typeParams().isEmpty() && !(def.type() instanceof Type.Fun)) {
      Diagnostics obstacles = new Diagnostics();
      EntryPointCheck.check(def, cx.typeDefs, obstacles);
      if (!obstacles.hasErrors()) {
        entries.add(entry(dec, def));
      }
    }
  }

  private void files(String path, Function<String, @Nullable String> reader) {
    String name = path.endsWith(".fut") ? path.substring(0, path.length() - 4) : path;
    ImportResolver imports = ImportResolver.paths(reader);
    ImportResolver resolver =
        n ->
            n.equals(name)
                ? Optional.ofNullable(reader.apply(path))
                    .map(text -> new ImportResolver.Source(path, text))
                : imports.find(n);
    Loader loader = new Loader(resolver, p -> prelude(base, p) != null, cx.diagnostics);
    loader.load(name);
    if (cx.diagnostics.hasErrors()) {
      return;
    }
    try {
      for (SourceFile file : loader.files()) {
        file(file, file.name().equals(name));
      }
      checkExtraEntries(path);
    } catch (DiagnosticException e) {
      if (!cx.diagnostics.hasErrors()) {
        cx.diagnostics.report(e);
      }
    }
  }

  private void file(SourceFile file, boolean main) {
    ModuleChecker checker =
        new ModuleChecker(
            cx,
            (p, loc) -> importFile(ImportNames.resolve(file.name(), p)),
            defs,
            (dec, def) -> {
              LintCheck.check(def, TypePrinter::show, cx.diagnostics);
              DerivativeCheck.check(def, cx.diagnostics);
              if (main && only != null) {
                find(dec, def);
              } else if (main
                  && (dec.entry()
                      || dec.name().equals("main")
                      || extraEntries.contains(dec.name()))) {
                EntryPointCheck.check(def, cx.typeDefs, cx.diagnostics);
                entries.add(entry(dec, def));
              }
            });
    files.put(file.name(), checker.decs(file.decs(), new LexicalScope(base.scope()), true));
  }

  private void checkExtraEntries(String path) {
    for (String name : extraEntries) {
      if (entries.stream().anyMatch(e -> e.name().equals(name))) {
        continue;
      }
      String message =
          "No function \"" + name + "\" exists in " + path + " for use as an entry point.";
      cx.diagnostics.report(Diagnostic.error("E0301", Loc.NONE, message));
    }
  }

  private ModuleEnv importFile(String name) {
    ModuleEnv prelude = prelude(base, name);
    ModuleEnv env = prelude == null ? files.get(name) : prelude;
    if (env == null) {
      throw new IllegalStateException(name + " is not loaded");
    }
    return env;
  }

  /** Tests whether an import's name is that of a file of the prelude. */
  public static boolean isPrelude(String name) {
    return prelude(BaseHolder.BASE, name) != null;
  }

  /** Returns the environment of a file of the prelude, or null for other files. */
  static @Nullable ModuleEnv prelude(PreludeEnvironment base, String name) {
    for (String folder : PreludeEnvironment.FOLDERS) {
      if (name.startsWith(folder)) {
        return base.files().get(name.substring(folder.length()));
      }
    }
    return null;
  }

  private static EntryPoint entry(Dec.Val dec, ValDef def) {
    List<EntryPoint.Param> params = new ArrayList<>();
    Type t = def.type();
    int i = 0;
    while (t instanceof Type.Fun f) {
      String name = "arg" + i;
      String text = null;
      if (i < dec.params().size()) {
        Pat p = dec.params().get(i);
        while (p instanceof Pat.Attributed || p instanceof Pat.Ascript) {
          if (p instanceof Pat.Attributed a) {
            p = a.pat();
          } else if (p instanceof Pat.Ascript a) {
            if (text == null) {
              text = SyntaxText.type(a.type());
            }
            p = a.pat();
          }
        }
        if (p instanceof Pat.Var v) {
          name = v.name();
        }
      }
      params.add(new EntryPoint.Param(name, f.from(), text));
      t = f.result().type();
      i++;
    }
    return new EntryPoint(
        dec.name(), def, params, dec.result() == null ? null : SyntaxText.type(dec.result()));
  }

  /** Returns the definitions that entry points need, with the definitions of abstract types. */
  private Program program() {
    Map<Name, ValDef> own = new LinkedHashMap<>();
    for (ValDef d : defs) {
      own.put(d.name(), d);
    }
    Map<Name, ValDef> all = new HashMap<>(own);
    Set<Name> needed = new HashSet<>();
    Deque<Name> pending = new ArrayDeque<>();
    Mapper references =
        new Mapper() {
          private void see(Name n) {
            if (n.isIntrinsic() || needed.contains(n)) {
              return;
            }
            ValDef d = all.get(n);
            if (d == null) {
              d = base.defs().get(n);
            }
            if (d == null) {
              return;
            }
            all.put(n, d);
            needed.add(n);
            pending.add(n);
          }

          @Override
          Type.Size sizeVar(Type.Size.Var v) {
            see(v.name());
            return v;
          }

          @Override
          Exp var(Exp.Var v) {
            see(v.name());
            return v;
          }
        };
    for (EntryPoint e : entries) {
      if (needed.add(e.def().name())) {
        pending.add(e.def().name());
      }
    }
    while (!pending.isEmpty()) {
      references.def(requireNonNull(all.get(pending.remove())));
    }
    Map<Name, ValDef> kept = new LinkedHashMap<>();
    for (Name n : base.defs().names()) {
      if (needed.contains(n)) {
        kept.put(n, all.get(n));
      }
    }
    for (Name n : own.keySet()) {
      if (needed.contains(n)) {
        kept.put(n, all.get(n));
      }
    }
    return new Program(kept, cx.typeDefs, List.copyOf(entries));
  }
}
