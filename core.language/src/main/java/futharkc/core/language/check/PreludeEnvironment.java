package futharkc.core.language.check;

import static java.util.Objects.requireNonNull;

import futharkc.core.ir.Loc;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.Intrinsics;
import futharkc.core.language.Prelude;
import futharkc.core.language.parser.Parser;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.syntax.SourceFile;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The environment in which every program is checked: intrinsics, operators, and the checked
 * prelude. It is immutable.
 *
 * @param cx the initial context of a check: names and abstract types
 * @param root the scope of the prelude itself
 * @param scope the scope of programs
 * @param files the environments of the prelude's files
 * @param defs the prelude's definitions, in order
 */
record PreludeEnvironment(
    CheckContext cx,
    LexicalScope root,
    LexicalScope scope,
    Map<String, ModuleEnv> files,
    Defs defs) {
  /** Definitions by name. */
  interface Defs {
    /** Returns all names, in order of definition. */
    List<Name> names();

    /** Returns the definition of a name, or null. */
    @Nullable ValDef get(Name name);
  }

  /** Definitions that are all in memory. */
  private record AtHand(List<Name> names, Map<Name, ValDef> byName) implements Defs {
    static AtHand of(List<ValDef> defs) {
      Map<Name, ValDef> byName = new LinkedHashMap<>();
      for (ValDef d : defs) {
        byName.put(d.name(), d);
      }
      return new AtHand(List.copyOf(byName.keySet()), byName);
    }

    @Override
    public @Nullable ValDef get(Name name) {
      return byName.get(name);
    }
  }

  /**
   * Returns the environment. Reads the snapshot of the prelude that the build wrote, or checks the
   * prelude if the snapshot is missing or outdated.
   */
  static PreludeEnvironment load() {
    byte[] snapshot = Prelude.snapshot();
    PreludeEnvironment base =
        snapshot == null ? null : SnapshotReader.read(snapshot, Prelude.key());
    return base == null ? make() : base;
  }

  /** Checks the prelude, which must be free of errors. */
  static PreludeEnvironment make() {
    Diagnostics diagnostics = new Diagnostics();
    CheckContext cx = new CheckContext(new NameSource(), diagnostics);
    LexicalScope root = root(cx);
    Map<String, ModuleEnv> files = new HashMap<>();
    List<ValDef> defs = new ArrayList<>();
    for (String name : Prelude.FILES) {
      String text = Prelude.source(name).orElseThrow();
      SourceFile file =
          Parser.parse("/prelude/" + name, "/prelude/" + name + ".fut", text, diagnostics);
      ModuleChecker checker =
          new ModuleChecker(
              cx, (path, loc) -> java.util.Objects.requireNonNull(files.get(path)), defs, null);
      files.put(name, checker.decs(file.decs(), new LexicalScope(root), true));
    }
    diagnostics.throwIfErrors();
    LexicalScope scope = new LexicalScope(root);
    scope.open(requireNonNull(files.get(Prelude.MAIN)));
    return new PreludeEnvironment(cx, root, scope, Map.copyOf(files), AtHand.of(defs));
  }

  private static LexicalScope root(CheckContext cx) {
    LexicalScope root = new LexicalScope(null);
    for (Exp.Op op : Exp.Op.values()) {
      root.bind(op.text, new Entity.Operator(op.text));
    }
    root.bind("&&", new Entity.Operator("&&"));
    root.bind("||", new Entity.Operator("||"));
    root.bind(Intrinsics.MODULE, new Entity.Module(new Mod.Struct(intrinsics(cx, root))));
    return root;
  }

  private static ModuleEnv intrinsics(CheckContext cx, LexicalScope root) {
    ModuleEnv env = new ModuleEnv();
    Name acc = Name.intrinsic(Intrinsics.ACC);
    TypeBinding accType =
        TypeBinding.abstractType(
            acc,
            Liftedness.UNLIFTED,
            List.of(new TypeBinding.Param(cx.names.fresh("a"), false, Liftedness.UNLIFTED)),
            Loc.NONE);
    env.types().put(Intrinsics.ACC, accType);
    StringBuilder specs = new StringBuilder("module type t = {\n");
    for (Intrinsics.Intrinsic i : Intrinsics.all()) {
      switch (i) {
        case Intrinsics.Scalar s ->
            add(env, s.name(), function(s.op().params(s.on()), s.op().result(s.on())));
        case Intrinsics.Conversion c -> add(env, c.name(), function(List.of(c.from()), c.to()));
        case Intrinsics.Structured s ->
            specs.append("val " + s.name() + " " + s.typeParams() + " : " + s.type() + "\n");
      }
    }
    Diagnostics diagnostics = cx.diagnostics;
    SourceFile file = Parser.parse("intrinsics", "<intrinsics>", specs + "}\n", diagnostics);
    diagnostics.throwIfErrors();
    LexicalScope scope = new LexicalScope(root);
    scope.bind(Intrinsics.ACC, accType);
    ModuleChecker checker =
        new ModuleChecker(
            cx,
            (path, loc) -> {
              throw new DiagnosticException("E0201", loc, "no imports here");
            },
            new ArrayList<>(),
            null);
    Dec.Sig dec = (Dec.Sig) file.decs().get(0);
    Sig sig = checker.sig(dec.sig(), scope);
    diagnostics.throwIfErrors();
    ((Mod.Struct) sig.mod())
        .env()
        .values()
        .forEach(
            (n, e) -> {
              Entity.Value v = (Entity.Value) e;
              env.values().put(n, new Entity.Value(Name.intrinsic(n), v.scheme(), Loc.NONE));
            });
    return env;
  }

  private static void add(ModuleEnv env, String name, Type type) {
    env.values().put(name, new Entity.Value(Name.intrinsic(name), Scheme.of(type), Loc.NONE));
  }

  private static Type function(List<PrimType> params, PrimType result) {
    Type t = Type.prim(result);
    for (int i = params.size() - 1; i >= 0; i--) {
      t = new Type.Fun(null, Type.prim(params.get(i)), Type.Result.of(t));
    }
    return t;
  }

  /** The folders in names by which programs import files of the prelude. */
  static final Set<String> FOLDERS = Set.of("/prelude/", "/futlib/");
}
