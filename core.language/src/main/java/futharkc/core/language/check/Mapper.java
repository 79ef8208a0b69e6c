package futharkc.core.language.check;

import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A rewriter of types and expressions. Unchanged types keep their identity. */
abstract class Mapper {
  /**
   * The rewritten operations of a size, or of all sizes of a definition. Sizes share
   * subexpressions, so the map avoids exponential work.
   */
  private @Nullable Map<Exp, Exp> shared;

  /** Returns the replacement of a variable in a size. */
  Type.Size sizeVar(Type.Size.Var v) {
    return v;
  }

  /** Returns the replacement of a named type with rewritten arguments. */
  Type named(Type.Named t) {
    return t;
  }

  Type meta(MetaType t) {
    return t;
  }

  /** Returns the replacement of a variable expression with a rewritten type. */
  Exp var(Exp.Var v) {
    return v;
  }

  /**
   * Returns the replacement of a result type. Subclasses override this method to add or remove
   * existential sizes.
   */
  Type.Result result(Type.Result r) {
    Type t = type(r.type());
    return t == r.type() ? r : new Type.Result(r.sizes(), t);
  }

  /** Returns the replacement of the type annotation of an expression or pattern. */
  Type annotation(Type t) {
    return type(t);
  }

  Type type(Type t) {
    return switch (t) {
      case Type.Prim p -> p;
      case Type.Array a -> {
        Type.Size s = size(a.size());
        Type e = type(a.elem());
        yield s == a.size() && e == a.elem() ? a : new Type.Array(a.unique(), s, e);
      }
      case Type.Record r -> {
        SortedMap<String, Type> fields = fields(r.fields(), this::type);
        yield fields == r.fields() ? r : new Type.Record(fields);
      }
      case Type.Sum s -> {
        SortedMap<String, List<Type>> variants = null;
        for (Map.Entry<String, List<Type>> e : s.variants().entrySet()) {
          List<Type> ts = list(e.getValue(), this::type);
          if (ts != e.getValue()) {
            if (variants == null) {
              variants = new TreeMap<>(s.variants());
            }
            variants.put(e.getKey(), ts);
          }
        }
        yield variants == null ? s : new Type.Sum(variants);
      }
      case Type.Fun f -> {
        Type from = type(f.from());
        Type.Result r = result(f.result());
        yield from == f.from() && r == f.result() ? f : new Type.Fun(f.param(), from, r);
      }
      case Type.Named n -> {
        List<Type.Arg> args = list(n.args(), this::arg);
        yield named(args == n.args() ? n : new Type.Named(n.unique(), n.name(), args));
      }
      case MetaType m -> meta(m);
    };
  }

  private Type.Arg arg(Type.Arg a) {
    return switch (a) {
      case Type.Arg.OfSize s -> {
        Type.Size size = size(s.size());
        yield size == s.size() ? s : new Type.Arg.OfSize(size);
      }
      case Type.Arg.OfType t -> {
        Type type = type(t.type());
        yield type == t.type() ? t : new Type.Arg.OfType(type);
      }
    };
  }

  Type.Size size(Type.Size s) {
    return switch (s) {
      case Type.Size.Const c -> c;
      case Type.Size.Any a -> a;
      case Type.Size.Var v -> sizeVar(v);
      case Type.Size.Of o -> {
        boolean outermost = shared == null;
        if (outermost) {
          shared = new IdentityHashMap<>();
        }
        Exp e = exp(o.exp());
        if (outermost) {
          shared = null;
        }
        yield e == o.exp() ? o : SizeExps.size(e);
      }
    };
  }

  static <T> List<T> list(List<T> list, UnaryOperator<T> f) {
    List<T> changed = null;
    for (int i = 0; i < list.size(); i++) {
      T old = list.get(i);
      T now = f.apply(old);
      if (now != old && changed == null) {
        changed = new ArrayList<>(list);
      }
      if (changed != null) {
        changed.set(i, now);
      }
    }
    return changed == null ? list : changed;
  }

  private static <T> SortedMap<String, T> fields(SortedMap<String, T> fields, UnaryOperator<T> f) {
    SortedMap<String, T> changed = null;
    for (Map.Entry<String, T> e : fields.entrySet()) {
      T now = f.apply(e.getValue());
      if (now != e.getValue()) {
        if (changed == null) {
          changed = new TreeMap<>(Type.FIELD_ORDER);
          changed.putAll(fields);
        }
        changed.put(e.getKey(), now);
      }
    }
    return changed == null ? fields : changed;
  }

  private @Nullable Exp opt(@Nullable Exp e) {
    return e == null ? null : exp(e);
  }

  Exp exp(Exp e) {
    return switch (e) {
      case Exp.Lit l -> l;
      case Exp.StringLit s -> s;
      case Exp.Var v -> {
        List<Type.Size> sizes = list(v.sizeArgs(), this::size);
        List<Type> types = list(v.typeArgs(), this::type);
        Type t = annotation(v.type());
        yield var(
            sizes == v.sizeArgs() && types == v.typeArgs() && t == v.type()
                ? v
                : new Exp.Var(v.name(), sizes, types, t, v.loc()));
      }
      case Exp.Hole h -> new Exp.Hole(annotation(h.type()), h.loc());
      case Exp.Record r ->
          new Exp.Record(fields(r.fields(), this::exp), r.order(), annotation(r.type()), r.loc());
      case Exp.ArrayLit a ->
          new Exp.ArrayLit(list(a.elems(), this::exp), annotation(a.type()), a.loc());
      case Exp.Project p -> new Exp.Project(exp(p.exp()), p.field(), annotation(p.type()), p.loc());
      case Exp.Apply a ->
          new Exp.Apply(
              exp(a.fun()), list(a.args(), this::exp), a.sizes(), annotation(a.type()), a.loc());
      case Exp.Constr c ->
          new Exp.Constr(c.name(), list(c.args(), this::exp), annotation(c.type()), c.loc());
      case Exp.BinOp b -> {
        Exp before = shared == null ? null : shared.get(b);
        if (before != null) {
          yield before;
        }
        Exp l = exp(b.left());
        Exp r = exp(b.right());
        Type o = annotation(b.operands());
        Type t = annotation(b.type());
        boolean same = l == b.left() && r == b.right() && o == b.operands() && t == b.type();
        Exp now = same ? b : new Exp.BinOp(b.op(), l, r, o, t, b.loc());
        if (shared != null) {
          shared.put(b, now);
        }
        yield now;
      }
      case Exp.UnOp u -> new Exp.UnOp(u.op(), exp(u.exp()), annotation(u.type()), u.loc());
      case Exp.And a -> new Exp.And(exp(a.left()), exp(a.right()), a.loc());
      case Exp.Or o -> new Exp.Or(exp(o.left()), exp(o.right()), o.loc());
      case Exp.Coerce c -> new Exp.Coerce(exp(c.exp()), annotation(c.type()), c.text(), c.loc());
      case Exp.Range r ->
          new Exp.Range(
              exp(r.start()),
              opt(r.second()),
              r.kind(),
              exp(r.end()),
              r.sizes(),
              annotation(r.type()),
              r.loc());
      case Exp.Index i ->
          new Exp.Index(exp(i.array()), dims(i.dims()), i.sizes(), annotation(i.type()), i.loc());
      case Exp.With w ->
          new Exp.With(
              exp(w.src()),
              list(w.path(), this::access),
              exp(w.value()),
              annotation(w.type()),
              w.loc());
      case Exp.Let l -> {
        List<Exp.Binding> bindings = new ArrayList<>(l.bindings().size());
        for (Exp.Binding b : l.bindings()) {
          bindings.add(binding(b));
        }
        yield new Exp.Let(bindings, exp(l.body()), l.sizes(), annotation(l.type()), l.loc());
      }
      case Exp.If i ->
          new Exp.If(
              exp(i.cond()),
              exp(i.then()),
              exp(i.otherwise()),
              i.sizes(),
              annotation(i.type()),
              i.loc());
      case Exp.Match m -> {
        List<Exp.Case> cases = new ArrayList<>(m.cases().size());
        Exp scrutinee = exp(m.exp());
        for (Exp.Case c : m.cases()) {
          cases.add(new Exp.Case(pat(c.pat()), exp(c.body()), c.loc()));
        }
        yield new Exp.Match(scrutinee, cases, m.sizes(), annotation(m.type()), m.loc());
      }
      case Exp.Loop l ->
          new Exp.Loop(
              l.loopSizes(),
              pat(l.pat()),
              l.typed(),
              l.trueDeps(),
              exp(l.init()),
              switch (l.form()) {
                case Exp.Form.For f ->
                    new Exp.Form.For(f.index(), f.indexLoc(), f.prim(), exp(f.bound()));
                case Exp.Form.ForIn f -> new Exp.Form.ForIn(pat(f.pat()), exp(f.array()));
                case Exp.Form.While f -> new Exp.Form.While(exp(f.cond()));
              },
              exp(l.body()),
              l.sizes(),
              annotation(l.type()),
              l.loc());
      case Exp.Lambda l -> {
        List<Pat> params = new ArrayList<>(l.params().size());
        for (Pat p : l.params()) {
          params.add(pat(p));
        }
        yield new Exp.Lambda(
            params,
            exp(l.body()),
            result(l.result()),
            l.resultTyped(),
            annotation(l.type()),
            l.loc());
      }
      case Exp.Assert a -> new Exp.Assert(exp(a.cond()), a.text(), exp(a.exp()), a.loc());
      case Exp.Attributed a -> new Exp.Attributed(a.attr(), exp(a.exp()), a.loc());
    };
  }

  private Exp.Binding binding(Exp.Binding b) {
    return switch (b) {
      case Exp.Binding.OfPat p ->
          new Exp.Binding.OfPat(p.sizes(), pat(p.pat()), exp(p.value()), p.loc());
      case Exp.Binding.OfFun f -> new Exp.Binding.OfFun(def(f.def()), f.nameLoc());
    };
  }

  ValDef def(ValDef d) {
    boolean outermost = shared == null;
    if (outermost) {
      shared = new IdentityHashMap<>();
    }
    List<Pat> params = new ArrayList<>(d.params().size());
    for (Pat p : d.params()) {
      params.add(pat(p));
    }
    ValDef mapped =
        new ValDef(
            d.name(),
            d.sizeParams(),
            d.typeParams(),
            params,
            result(d.result()),
            d.resultTyped(),
            annotation(d.type()),
            exp(d.body()),
            d.recursive(),
            d.attrs(),
            d.doc(),
            d.loc());
    if (outermost) {
      shared = null;
    }
    return mapped;
  }

  private List<Exp.Dim> dims(List<Exp.Dim> dims) {
    return list(
        dims,
        d ->
            switch (d) {
              case Exp.Dim.Fix f -> new Exp.Dim.Fix(exp(f.index()));
              case Exp.Dim.Slice s ->
                  new Exp.Dim.Slice(opt(s.start()), opt(s.end()), opt(s.stride()));
            });
  }

  private Exp.Access access(Exp.Access a) {
    return switch (a) {
      case Exp.Access.Field f -> f;
      case Exp.Access.Elem e -> new Exp.Access.Elem(dims(e.dims()));
    };
  }

  Pat pat(Pat p) {
    return switch (p) {
      case Pat.Var v -> new Pat.Var(v.name(), annotation(v.type()), v.loc());
      case Pat.Wildcard w -> new Pat.Wildcard(annotation(w.type()), w.loc());
      case Pat.Record r ->
          new Pat.Record(fields(r.fields(), this::pat), annotation(r.type()), r.loc());
      case Pat.Literal l -> l;
      case Pat.Constr c ->
          new Pat.Constr(c.name(), list(c.payload(), this::pat), annotation(c.type()), c.loc());
    };
  }
}
