package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.syntax.Attr;
import futharkc.core.language.syntax.Exp.RangeKind;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the snapshots that {@link SnapshotWriter} writes. Strings, names, types, entities and
 * definitions are decoded on first use, so that a program pays only for what it uses.
 */
final class SnapshotReader {
  private static final PrimType[] PRIMS = PrimType.values();
  private static final Liftedness[] LIFTEDNESS = Liftedness.values();
  private static final Exp.Op[] OPS = Exp.Op.values();
  private static final Exp.Un[] UNS = Exp.Un.values();
  private static final RangeKind[] RANGES = RangeKind.values();

  private final byte[] bytes;
  private int at;
  private final Table<String> strings;
  private final Table<Name> names;
  private final Table<Type> types;
  private final Table<Entity> entities;
  private final Table<Sig> sigs;
  private final Map<Name, Integer> defIds = new HashMap<>();
  private final List<Name> defNames = new ArrayList<>();
  private final Table<ValDef> defs;
  private final int rest;

  /** The offsets of a table's entries, and the decoded entries. */
  private final class Table<T> {
    final int[] starts;
    final int[] ends;
    final Object[] read;

    Table() {
      int n = (int) number();
      starts = new int[n];
      ends = new int[n];
      read = new Object[n];
      for (int i = 0; i < n; i++) {
        int length = (int) number();
        starts[i] = at;
        at += length;
        ends[i] = at;
      }
    }

    @SuppressWarnings("unchecked")
    T get(int id, Supplier<T> reader) {
      Object known = read[id];
      if (known == null) {
        int back = at;
        at = starts[id];
        known = reader.get();
        at = back;
        read[id] = known;
      }
      return (T) known;
    }
  }

  private SnapshotReader(byte[] bytes, int start) {
    this.bytes = bytes;
    this.at = start;
    strings = new Table<>();
    names = new Table<>();
    types = new Table<>();
    entities = new Table<>();
    sigs = new Table<>();
    int n = (int) number();
    for (int i = 0; i < n; i++) {
      Name name = name();
      defNames.add(name);
      defIds.put(name, i);
    }
    defs = new Table<>();
    rest = at;
  }

  /** Returns the prelude in a snapshot, or null if the format or the key differs. */
  static @Nullable PreludeEnvironment read(byte[] bytes, int key) {
    SnapshotHeader header = SnapshotHeader.read(bytes);
    if (header.format() != SnapshotWriter.FORMAT || header.key() != key) {
      return null;
    }
    return new SnapshotReader(bytes, header.length()).base();
  }

  /** The header of a snapshot. */
  private record SnapshotHeader(long format, int key, int length) {
    static SnapshotHeader read(byte[] bytes) {
      int[] at = {0};
      long format = number(bytes, at);
      long key = number(bytes, at);
      return new SnapshotHeader(format, (int) key, at[0]);
    }
  }

  private static long number(byte[] bytes, int[] at) {
    long v = 0;
    int shift = 0;
    while (true) {
      byte b = bytes[at[0]++];
      v |= (long) (b & 0x7F) << shift;
      if (b >= 0) {
        return v;
      }
      shift += 7;
    }
  }

  // Simple components

  private long number() {
    long v = 0;
    int shift = 0;
    while (true) {
      byte b = bytes[at++];
      v |= (long) (b & 0x7F) << shift;
      if (b >= 0) {
        return v;
      }
      shift += 7;
    }
  }

  private int tag() {
    return bytes[at++];
  }

  private boolean flag() {
    return bytes[at++] != 0;
  }

  private String string() {
    int id = (int) number();
    return strings.get(
        id,
        () ->
            new String(
                bytes,
                strings.starts[id],
                strings.ends[id] - strings.starts[id],
                StandardCharsets.UTF_8));
  }

  private @Nullable String optional() {
    return flag() ? string() : null;
  }

  private Name name() {
    return names.get((int) number(), () -> new Name(string(), (int) number()));
  }

  private Loc loc() {
    return new Loc(string(), (int) number(), (int) number(), (int) number(), (int) number());
  }

  private <T> List<T> list(Supplier<T> each) {
    int n = (int) number();
    if (n == 0) {
      return List.of();
    }
    List<T> xs = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      xs.add(each.get());
    }
    return xs;
  }

  private <M extends Map<String, T>, T> M map(M m, Supplier<T> each) {
    int n = (int) number();
    for (int i = 0; i < n; i++) {
      m.put(string(), each.get());
    }
    return m;
  }

  private List<Name> names() {
    return list(this::name);
  }

  // Types

  private Type type() {
    return types.get((int) number(), this::typeNode);
  }

  private Type typeNode() {
    return switch (tag()) {
      case 0 -> new Type.Prim(PRIMS[tag()]);
      case 1 -> new Type.Array(flag(), size(), type());
      case 2 -> new Type.Record(map(new TreeMap<>(Type.FIELD_ORDER), this::type));
      case 3 -> new Type.Sum(map(new TreeMap<>(), () -> list(this::type)));
      case 4 -> new Type.Fun(flag() ? name() : null, type(), result());
      case 5 -> new Type.Named(flag(), name(), list(this::arg));
      default -> throw broken();
    };
  }

  private Type.Result result() {
    return new Type.Result(names(), type());
  }

  private Type.Arg arg() {
    return switch (tag()) {
      case 0 -> new Type.Arg.OfSize(size());
      case 1 -> new Type.Arg.OfType(type());
      default -> throw broken();
    };
  }

  private Type.Size size() {
    return switch (tag()) {
      case 0 -> new Type.Size.Const(number());
      case 1 -> new Type.Size.Var(name());
      case 2 -> new Type.Size.Of(exp());
      case 3 -> new Type.Size.Any();
      default -> throw broken();
    };
  }

  // Expressions

  private List<Exp> exps() {
    return list(this::exp);
  }

  private @Nullable Exp maybe() {
    return flag() ? exp() : null;
  }

  private Exp exp() {
    return switch (tag()) {
      case 0 -> new Exp.Lit(PRIMS[tag()], number(), loc());
      case 1 -> new Exp.StringLit(raw(), type(), loc());
      case 2 -> new Exp.Var(name(), list(this::size), list(this::type), type(), loc());
      case 3 -> new Exp.Hole(type(), loc());
      case 4 ->
          new Exp.Record(
              map(new TreeMap<>(Type.FIELD_ORDER), this::exp), list(this::string), type(), loc());
      case 5 -> new Exp.ArrayLit(exps(), type(), loc());
      case 6 -> new Exp.Project(exp(), string(), type(), loc());
      case 7 -> new Exp.Apply(exp(), exps(), names(), type(), loc());
      case 8 -> new Exp.Constr(string(), exps(), type(), loc());
      case 9 -> new Exp.BinOp(OPS[tag()], exp(), exp(), type(), type(), loc());
      case 10 -> new Exp.UnOp(UNS[tag()], exp(), type(), loc());
      case 11 -> new Exp.And(exp(), exp(), loc());
      case 12 -> new Exp.Or(exp(), exp(), loc());
      case 13 -> new Exp.Coerce(exp(), type(), string(), loc());
      case 14 -> new Exp.Range(exp(), maybe(), RANGES[tag()], exp(), names(), type(), loc());
      case 15 -> new Exp.Index(exp(), list(this::dim), names(), type(), loc());
      case 16 -> new Exp.With(exp(), list(this::access), exp(), type(), loc());
      case 17 -> new Exp.Let(list(this::binding), exp(), names(), type(), loc());
      case 18 -> new Exp.If(exp(), exp(), exp(), names(), type(), loc());
      case 19 ->
          new Exp.Match(
              exp(), list(() -> new Exp.Case(pat(), exp(), loc())), names(), type(), loc());
      case 20 ->
          new Exp.Loop(
              names(),
              pat(),
              new LinkedHashSet<>(names()),
              new LinkedHashSet<>(names()),
              exp(),
              form(),
              exp(),
              names(),
              type(),
              loc());
      case 21 -> new Exp.Lambda(list(this::pat), exp(), result(), flag(), type(), loc());
      case 22 -> new Exp.Assert(exp(), string(), exp(), loc());
      case 23 -> new Exp.Attributed(attr(), exp(), loc());
      default -> throw broken();
    };
  }

  private byte[] raw() {
    int n = (int) number();
    byte[] copy = java.util.Arrays.copyOfRange(bytes, at, at + n);
    at += n;
    return copy;
  }

  private Exp.Dim dim() {
    return switch (tag()) {
      case 0 -> new Exp.Dim.Fix(exp());
      case 1 -> new Exp.Dim.Slice(maybe(), maybe(), maybe());
      default -> throw broken();
    };
  }

  private Exp.Access access() {
    return switch (tag()) {
      case 0 -> new Exp.Access.Field(string());
      case 1 -> new Exp.Access.Elem(list(this::dim));
      default -> throw broken();
    };
  }

  private Exp.Binding binding() {
    return switch (tag()) {
      case 0 -> new Exp.Binding.OfPat(names(), pat(), exp(), loc());
      case 1 -> new Exp.Binding.OfFun(def(), loc());
      default -> throw broken();
    };
  }

  private Exp.Form form() {
    return switch (tag()) {
      case 0 -> new Exp.Form.For(name(), loc(), PRIMS[tag()], exp());
      case 1 -> new Exp.Form.ForIn(pat(), exp());
      case 2 -> new Exp.Form.While(exp());
      default -> throw broken();
    };
  }

  private Pat pat() {
    return switch (tag()) {
      case 0 -> new Pat.Var(name(), type(), loc());
      case 1 -> new Pat.Wildcard(type(), loc());
      case 2 -> new Pat.Record(map(new TreeMap<>(Type.FIELD_ORDER), this::pat), type(), loc());
      case 3 -> new Pat.Literal(new Exp.Lit(PRIMS[tag()], number(), loc()), loc());
      case 4 -> new Pat.Constr(string(), list(this::pat), type(), loc());
      default -> throw broken();
    };
  }

  private Attr attr() {
    return switch (tag()) {
      case 0 -> new Attr.Atom(string());
      case 1 -> new Attr.Int(number());
      case 2 -> new Attr.Compound(string(), list(this::attr));
      default -> throw broken();
    };
  }

  private ValDef def() {
    return new ValDef(
        name(),
        names(),
        names(),
        list(this::pat),
        result(),
        flag(),
        type(),
        exp(),
        flag(),
        list(this::attr),
        optional(),
        loc());
  }

  // Entities

  private PreludeEnvironment base() {
    at = rest;
    CheckContext cx = new CheckContext(new NameSource((int) number()), new Diagnostics());
    named(cx.liftedness, () -> LIFTEDNESS[tag()]);
    named(cx.paths, this::string);
    named(cx.typeDefs, this::typeDef);
    LexicalScope root = new LexicalScope(null);
    root.open(env());
    LexicalScope scope = new LexicalScope(root);
    scope.open(env());
    Map<String, ModuleEnv> files = map(new HashMap<>(), this::env);
    return new PreludeEnvironment(cx, root, scope, Map.copyOf(files), new Definitions());
  }

  private <T> void named(Map<Name, T> m, Supplier<T> each) {
    int n = (int) number();
    for (int i = 0; i < n; i++) {
      m.put(name(), each.get());
    }
  }

  private Program.TypeDef typeDef() {
    return new Program.TypeDef(name(), list(() -> new Program.Param(name(), flag())), result());
  }

  private ModuleEnv env() {
    return new ModuleEnv(
        map(new LinkedHashMap<>(), this::entity),
        map(new LinkedHashMap<>(), this::typeBinding),
        map(new LinkedHashMap<>(), this::sig));
  }

  private Entity entity() {
    return entities.get((int) number(), this::entityNode);
  }

  private Entity entityNode() {
    return switch (tag()) {
      case 0 -> new Entity.Value(name(), scheme(), loc());
      case 1 -> new Entity.Module(new Mod.Struct(env()));
      case 2 -> new Entity.Operator(string());
      default -> throw broken();
    };
  }

  private Scheme scheme() {
    return new Scheme(
        names(), list(() -> new TypeParamInfo(name(), LIFTEDNESS[tag()], loc())), type());
  }

  private TypeBinding typeBinding() {
    return new TypeBinding(
        name(),
        LIFTEDNESS[tag()],
        list(() -> new TypeBinding.Param(name(), flag(), LIFTEDNESS[tag()])),
        result(),
        loc());
  }

  private Sig sig() {
    return sigs.get(
        (int) number(),
        () -> {
          Map<Name, TypeBinding> abs = new LinkedHashMap<>();
          named(abs, this::typeBinding);
          return new Sig(abs, new Mod.Struct(env()));
        });
  }

  private static IllegalStateException broken() {
    return new IllegalStateException(
        "the snapshot of the prelude is corrupt; rebuild the compiler");
  }

  /** The prelude's definitions, each decoded on first use. */
  private final class Definitions implements PreludeEnvironment.Defs {
    @Override
    public List<Name> names() {
      return defNames;
    }

    @Override
    public synchronized @Nullable ValDef get(Name name) {
      Integer id = defIds.get(name);
      return id == null ? null : defs.get(id, SnapshotReader.this::def);
    }
  }
}
