package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Attr;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A writer of the checked prelude for {@link SnapshotReader}. A snapshot has a table of strings,
 * tables of names and types (shared by value), a table of entities (shared by identity), then
 * scopes, and separately readable definitions. Numbers have a variable-length encoding. A node is
 * its tag, which the reader shares, and its components in order.
 */
final class SnapshotWriter {
  /** The version of the snapshot format. Increment it with every change of the format. */
  static final int FORMAT = 2;

  private final Table<String> strings = new Table<>(new HashMap<>());
  private final Table<Name> names = new Table<>(new HashMap<>());
  private final Table<Type> types = new Table<>(new HashMap<>());
  private final Table<Entity> entities = new Table<>(new IdentityHashMap<>());
  private final Table<Sig> sigs = new Table<>(new IdentityHashMap<>());
  private Bytes out = new Bytes();

  private SnapshotWriter() {}

  /** The encoded entries of a table, in the order of their first occurrence. */
  private static final class Table<T> {
    final Map<T, Integer> ids;
    final List<byte[]> entries = new ArrayList<>();

    Table(Map<T, Integer> ids) {
      this.ids = ids;
    }
  }

  private static final class Bytes extends ByteArrayOutputStream {
    void number(long v) {
      while ((v & ~0x7FL) != 0) {
        write((int) (v & 0x7F | 0x80));
        v >>>= 7;
      }
      write((int) v);
    }
  }

  /**
   * Returns the snapshot of a checked prelude.
   *
   * @param key the checksum of the prelude's text
   */
  static byte[] write(PreludeEnvironment base, int key) {
    SnapshotWriter w = new SnapshotWriter();
    List<byte[]> defs = new ArrayList<>();
    for (Name n : base.defs().names()) {
      ValDef d = Objects.requireNonNull(base.defs().get(n));
      defs.add(w.apart(() -> w.def(d)));
    }
    byte[] rest = w.apart(() -> w.base(base));
    Bytes all = new Bytes();
    all.number(FORMAT);
    all.number(Integer.toUnsignedLong(key));
    for (Name n : base.defs().names()) {
      w.nameId(n);
    }
    for (Table<?> t : List.of(w.strings, w.names, w.types, w.entities, w.sigs)) {
      section(all, t.entries);
    }
    all.number(defs.size());
    for (Name n : base.defs().names()) {
      all.number(w.nameId(n));
    }
    section(all, defs);
    all.writeBytes(rest);
    return all.toByteArray();
  }

  private static void section(Bytes all, List<byte[]> entries) {
    all.number(entries.size());
    for (byte[] e : entries) {
      all.number(e.length);
      all.writeBytes(e);
    }
  }

  private byte[] apart(Runnable write) {
    Bytes outer = out;
    out = new Bytes();
    write.run();
    byte[] written = out.toByteArray();
    out = outer;
    return written;
  }

  private <T> int id(Table<T> table, T x, Runnable write) {
    Integer known = table.ids.get(x);
    if (known != null) {
      return known;
    }
    // Nested entries come first, so that a reader finds them before their users.
    byte[] bytes = apart(write);
    int id = table.entries.size();
    table.ids.put(x, id);
    table.entries.add(bytes);
    return id;
  }

  private int nameId(Name n) {
    return id(
        names,
        n,
        () -> {
          string(n.base());
          number(n.tag());
        });
  }

  // Simple components

  private void number(long v) {
    out.number(v);
  }

  private void flag(boolean b) {
    out.write(b ? 1 : 0);
  }

  private void string(String s) {
    number(id(strings, s, () -> out.writeBytes(s.getBytes(StandardCharsets.UTF_8))));
  }

  private void optional(@Nullable String s) {
    flag(s != null);
    if (s != null) {
      string(s);
    }
  }

  private void name(Name n) {
    number(nameId(n));
  }

  private void loc(Loc l) {
    string(l.file());
    number(l.line());
    number(l.column());
    number(l.endLine());
    number(l.endColumn());
  }

  private void ordinal(Enum<?> e) {
    out.write(e.ordinal());
  }

  private <T> void list(Collection<T> xs, Consumer<T> each) {
    number(xs.size());
    xs.forEach(each);
  }

  private <T> void map(Map<String, T> m, Consumer<T> each) {
    number(m.size());
    m.forEach(
        (k, v) -> {
          string(k);
          each.accept(v);
        });
  }

  private void tag(int tag) {
    out.write(tag);
  }

  private void names(Collection<Name> ns) {
    list(ns, this::name);
  }

  // Types

  private void type(Type given) {
    Type t = given instanceof MetaType ? TypeVar.prune(given) : given;
    number(id(types, t, () -> typeNode(t)));
  }

  private void typeNode(Type t) {
    switch (t) {
      case Type.Prim p -> {
        tag(0);
        ordinal(p.type());
      }
      case Type.Array a -> {
        tag(1);
        flag(a.unique());
        size(a.size());
        type(a.elem());
      }
      case Type.Record r -> {
        tag(2);
        map(r.fields(), this::type);
      }
      case Type.Sum s -> {
        tag(3);
        map(s.variants(), ts -> list(ts, this::type));
      }
      case Type.Fun f -> {
        tag(4);
        flag(f.param() != null);
        if (f.param() != null) {
          name(f.param());
        }
        type(f.from());
        result(f.result());
      }
      case Type.Named n -> {
        tag(5);
        flag(n.unique());
        name(n.name());
        list(n.args(), this::arg);
      }
      case MetaType m -> throw new IllegalStateException("unknown type " + m + " in the prelude");
    }
  }

  private void result(Type.Result r) {
    names(r.sizes());
    type(r.type());
  }

  private void arg(Type.Arg a) {
    switch (a) {
      case Type.Arg.OfSize s -> {
        tag(0);
        size(s.size());
      }
      case Type.Arg.OfType t -> {
        tag(1);
        type(t.type());
      }
    }
  }

  private void size(Type.Size s) {
    switch (s) {
      case Type.Size.Const c -> {
        tag(0);
        number(c.value());
      }
      case Type.Size.Var v -> {
        tag(1);
        name(v.name());
      }
      case Type.Size.Of o -> {
        tag(2);
        exp(o.exp());
      }
      case Type.Size.Any a -> tag(3);
    }
  }

  // Expressions

  private void exps(List<Exp> es) {
    list(es, this::exp);
  }

  private void maybe(@Nullable Exp e) {
    flag(e != null);
    if (e != null) {
      exp(e);
    }
  }

  private void exp(Exp e) {
    switch (e) {
      case Exp.Lit x -> {
        tag(0);
        lit(x);
      }
      case Exp.StringLit x -> {
        tag(1);
        number(x.bytes().length);
        out.writeBytes(x.bytes());
        type(x.type());
      }
      case Exp.Var x -> {
        tag(2);
        name(x.name());
        list(x.sizeArgs(), this::size);
        list(x.typeArgs(), this::type);
        type(x.type());
      }
      case Exp.Hole x -> {
        tag(3);
        type(x.type());
      }
      case Exp.Record x -> {
        tag(4);
        map(x.fields(), this::exp);
        list(x.order(), this::string);
        type(x.type());
      }
      case Exp.ArrayLit x -> {
        tag(5);
        exps(x.elems());
        type(x.type());
      }
      case Exp.Project x -> {
        tag(6);
        exp(x.exp());
        string(x.field());
        type(x.type());
      }
      case Exp.Apply x -> {
        tag(7);
        exp(x.fun());
        exps(x.args());
        names(x.sizes());
        type(x.type());
      }
      case Exp.Constr x -> {
        tag(8);
        string(x.name());
        exps(x.args());
        type(x.type());
      }
      case Exp.BinOp x -> {
        tag(9);
        ordinal(x.op());
        exp(x.left());
        exp(x.right());
        type(x.operands());
        type(x.type());
      }
      case Exp.UnOp x -> {
        tag(10);
        ordinal(x.op());
        exp(x.exp());
        type(x.type());
      }
      case Exp.And x -> {
        tag(11);
        exp(x.left());
        exp(x.right());
      }
      case Exp.Or x -> {
        tag(12);
        exp(x.left());
        exp(x.right());
      }
      case Exp.Coerce x -> {
        tag(13);
        exp(x.exp());
        type(x.type());
        string(x.text());
      }
      case Exp.Range x -> {
        tag(14);
        exp(x.start());
        maybe(x.second());
        ordinal(x.kind());
        exp(x.end());
        names(x.sizes());
        type(x.type());
      }
      case Exp.Index x -> {
        tag(15);
        exp(x.array());
        list(x.dims(), this::dim);
        names(x.sizes());
        type(x.type());
      }
      case Exp.With x -> {
        tag(16);
        exp(x.src());
        list(x.path(), this::access);
        exp(x.value());
        type(x.type());
      }
      case Exp.Let x -> {
        tag(17);
        list(x.bindings(), this::binding);
        exp(x.body());
        names(x.sizes());
        type(x.type());
      }
      case Exp.If x -> {
        tag(18);
        exp(x.cond());
        exp(x.then());
        exp(x.otherwise());
        names(x.sizes());
        type(x.type());
      }
      case Exp.Match x -> {
        tag(19);
        exp(x.exp());
        list(
            x.cases(),
            c -> {
              pat(c.pat());
              exp(c.body());
              loc(c.loc());
            });
        names(x.sizes());
        type(x.type());
      }
      case Exp.Loop x -> {
        tag(20);
        names(x.loopSizes());
        pat(x.pat());
        names(x.typed());
        names(x.trueDeps());
        exp(x.init());
        form(x.form());
        exp(x.body());
        names(x.sizes());
        type(x.type());
      }
      case Exp.Lambda x -> {
        tag(21);
        list(x.params(), this::pat);
        exp(x.body());
        result(x.result());
        flag(x.resultTyped());
        type(x.type());
      }
      case Exp.Assert x -> {
        tag(22);
        exp(x.cond());
        string(x.text());
        exp(x.exp());
      }
      case Exp.Attributed x -> {
        tag(23);
        attr(x.attr());
        exp(x.exp());
      }
    }
    loc(e.loc());
  }

  private void lit(Exp.Lit x) {
    ordinal(x.prim());
    number(x.bits());
  }

  private void dim(Exp.Dim d) {
    switch (d) {
      case Exp.Dim.Fix f -> {
        tag(0);
        exp(f.index());
      }
      case Exp.Dim.Slice s -> {
        tag(1);
        maybe(s.start());
        maybe(s.end());
        maybe(s.stride());
      }
    }
  }

  private void access(Exp.Access a) {
    switch (a) {
      case Exp.Access.Field f -> {
        tag(0);
        string(f.name());
      }
      case Exp.Access.Elem e -> {
        tag(1);
        list(e.dims(), this::dim);
      }
    }
  }

  private void binding(Exp.Binding b) {
    switch (b) {
      case Exp.Binding.OfPat p -> {
        tag(0);
        names(p.sizes());
        pat(p.pat());
        exp(p.value());
        loc(p.loc());
      }
      case Exp.Binding.OfFun f -> {
        tag(1);
        def(f.def());
        loc(f.nameLoc());
      }
    }
  }

  private void form(Exp.Form f) {
    switch (f) {
      case Exp.Form.For x -> {
        tag(0);
        name(x.index());
        loc(x.indexLoc());
        ordinal(x.prim());
        exp(x.bound());
      }
      case Exp.Form.ForIn x -> {
        tag(1);
        pat(x.pat());
        exp(x.array());
      }
      case Exp.Form.While x -> {
        tag(2);
        exp(x.cond());
      }
    }
  }

  private void pat(Pat p) {
    switch (p) {
      case Pat.Var x -> {
        tag(0);
        name(x.name());
        type(x.type());
      }
      case Pat.Wildcard x -> {
        tag(1);
        type(x.type());
      }
      case Pat.Record x -> {
        tag(2);
        map(x.fields(), this::pat);
        type(x.type());
      }
      case Pat.Literal x -> {
        tag(3);
        lit(x.literal());
        loc(x.literal().loc());
      }
      case Pat.Constr x -> {
        tag(4);
        string(x.name());
        list(x.payload(), this::pat);
        type(x.type());
      }
    }
    loc(p.loc());
  }

  private void attr(Attr a) {
    switch (a) {
      case Attr.Atom x -> {
        tag(0);
        string(x.name());
      }
      case Attr.Int x -> {
        tag(1);
        number(x.value());
      }
      case Attr.Compound x -> {
        tag(2);
        string(x.name());
        list(x.args(), this::attr);
      }
    }
  }

  private void def(ValDef d) {
    name(d.name());
    names(d.sizeParams());
    names(d.typeParams());
    list(d.params(), this::pat);
    result(d.result());
    flag(d.resultTyped());
    type(d.type());
    exp(d.body());
    flag(d.recursive());
    list(d.attrs(), this::attr);
    optional(d.doc());
    loc(d.loc());
  }

  // Entities

  private void base(PreludeEnvironment base) {
    CheckContext cx = base.cx();
    number(cx.names.next());
    named(cx.liftedness, this::ordinal);
    named(cx.paths, this::string);
    named(cx.typeDefs, this::typeDef);
    scope(base.root());
    scope(base.scope());
    map(new TreeMap<>(base.files()), this::env);
  }

  /** Writes a map in the order of the names' tags, so that equal preludes give equal snapshots. */
  private <T> void named(Map<Name, T> m, Consumer<T> each) {
    number(m.size());
    m.entrySet().stream()
        .sorted(Comparator.comparingInt(e -> e.getKey().tag()))
        .forEach(
            e -> {
              name(e.getKey());
              each.accept(e.getValue());
            });
  }

  private void typeDef(Program.TypeDef d) {
    name(d.name());
    list(
        d.params(),
        p -> {
          name(p.name());
          flag(p.size());
        });
    result(d.type());
  }

  /** Writes the names of a scope itself, without those of the enclosing scopes. */
  private void scope(LexicalScope s) {
    ModuleEnv own = s.own();
    env(
        new ModuleEnv(
            new TreeMap<>(own.values()), new TreeMap<>(own.types()), new TreeMap<>(own.sigs())));
  }

  private void env(ModuleEnv e) {
    map(e.values(), this::entity);
    map(e.types(), this::typeBinding);
    map(e.sigs(), this::sig);
  }

  private void entity(Entity e) {
    number(id(entities, e, () -> entityNode(e)));
  }

  private void entityNode(Entity e) {
    switch (e) {
      case Entity.Value v -> {
        tag(0);
        name(v.name());
        names(v.scheme().sizes());
        list(
            v.scheme().types(),
            p -> {
              name(p.name());
              ordinal(p.liftedness());
              loc(p.loc());
            });
        type(v.scheme().type());
        loc(v.loc());
      }
      case Entity.Module m -> {
        tag(1);
        mod(m.mod());
      }
      case Entity.Operator o -> {
        tag(2);
        string(o.text());
      }
      case Entity.Broken b -> throw new IllegalStateException("an error in the prelude");
      case LocalVar v ->
          throw new IllegalStateException("local variable " + v + " outside its scope");
    }
  }

  private void mod(Mod m) {
    if (!(m instanceof Mod.Struct s)) {
      throw new IllegalStateException("the prelude may not define parametric modules");
    }
    env(s.env());
  }

  private void typeBinding(TypeBinding t) {
    name(t.name());
    ordinal(t.liftedness());
    list(
        t.params(),
        p -> {
          name(p.name());
          flag(p.size());
          ordinal(p.liftedness());
        });
    result(t.rhs());
    loc(t.loc());
  }

  private void sig(Sig s) {
    number(
        id(
            sigs,
            s,
            () -> {
              named(s.abs(), this::typeBinding);
              mod(s.mod());
            }));
  }
}
