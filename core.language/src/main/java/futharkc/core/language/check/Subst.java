package futharkc.core.language.check;

import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A substitution of sizes, types and values. If a replacement type has existential sizes, the
 * closest enclosing result type binds them. Existential sizes in a parameter type, or outside every
 * result type, are added to {@link #loose}.
 */
final class Subst extends Mapper {
  private final NameSource names;
  private final boolean freshBinders;
  private final Map<Name, Type.Size> sizes = new HashMap<>();
  private final Map<Name, TypeBinding> types = new HashMap<>();
  private final Map<Name, Name> values = new HashMap<>();

  /** The existential sizes that no result type binds. */
  List<Name> loose = new ArrayList<>();

  /**
   * The list {@link #loose} of the whole type. Existential sizes in a parameter type are added
   * here.
   */
  private List<Name> outermost = loose;

  /**
   * Creates an empty substitution.
   *
   * @param freshBinders whether names that function types bind are renamed too
   */
  Subst(NameSource names, boolean freshBinders) {
    this.names = names;
    this.freshBinders = freshBinders;
  }

  Subst(NameSource names) {
    this(names, false);
  }

  Subst size(Name name, Type.Size size) {
    sizes.put(name, size);
    return this;
  }

  Subst type(Name name, Type type) {
    return type(
        name,
        new TypeBinding(
            name,
            futharkc.core.language.syntax.TypeParam.Liftedness.LIFTED,
            List.of(),
            Type.Result.of(type),
            futharkc.core.ir.Loc.NONE));
  }

  Subst type(Name name, TypeBinding type) {
    types.put(name, type);
    return this;
  }

  /** Replaces a value by another, also in sizes. */
  Subst value(Name name, Name by) {
    values.put(name, by);
    return this;
  }

  boolean mapsValue(Name name) {
    return values.containsKey(name);
  }

  boolean isEmpty() {
    return sizes.isEmpty() && types.isEmpty() && values.isEmpty() && !freshBinders;
  }

  @Nullable TypeBinding typeOf(Name name) {
    return types.get(name);
  }

  @Override
  Type.Size sizeVar(Type.Size.Var v) {
    Type.Size s = sizes.get(v.name());
    if (s != null) {
      return s;
    }
    Name by = values.get(v.name());
    return by == null ? v : new Type.Size.Var(by);
  }

  @Override
  Exp var(Exp.Var v) {
    Type.Size s = sizes.get(v.name());
    if (s != null && !(s instanceof Type.Size.Any)) {
      return SizeExps.exp(s, v.loc());
    }
    Name by = values.get(v.name());
    return by == null ? v : new Exp.Var(by, v.sizeArgs(), v.typeArgs(), v.type(), v.loc());
  }

  @Override
  Type meta(futharkc.core.language.typed.MetaType m) {
    Type p = TypeVar.prune(m);
    return p == m ? m : type(p);
  }

  @Override
  Type named(Type.Named n) {
    TypeBinding b = types.get(n.name());
    if (b == null) {
      return n;
    }
    Type t = expand(b, n.args(), names, loose);
    return n.unique() ? unique(t, true) : t;
  }

  @Override
  Type type(Type t) {
    if (!(t instanceof Type.Fun f)) {
      return super.type(t);
    }
    Type from = parameter(f.from());
    Name param = f.param();
    if (freshBinders && param != null) {
      param = names.fresh(param.base());
      sizes.put(f.param(), new Type.Size.Var(param));
    }
    Type.Result result = result(f.result());
    return from == f.from() && result == f.result() && param == f.param()
        ? f
        : new Type.Fun(param, from, result);
  }

  private Type parameter(Type t) {
    List<Name> inner = loose;
    loose = outermost;
    Type from = type(t);
    loose = inner;
    return from;
  }

  @Override
  Type.Result result(Type.Result r) {
    List<Name> outer = loose;
    loose = new ArrayList<>();
    for (Name n : r.sizes()) {
      if (freshBinders) {
        Name fresh = names.fresh(n.base());
        sizes.put(n, new Type.Size.Var(fresh));
        loose.add(fresh);
      } else {
        loose.add(n);
      }
    }
    Type t = type(r.type());
    Type.Result result = t == r.type() && loose.equals(r.sizes()) ? r : new Type.Result(loose, t);
    loose = outer;
    return result;
  }

  /** Returns the substituted scheme. Unbound existential sizes become further size parameters. */
  Scheme scheme(Scheme s) {
    List<Name> outer = loose;
    List<Name> outerOutermost = outermost;
    loose = new ArrayList<>(s.sizes());
    outermost = loose;
    Type t = type(s.type());
    Scheme result =
        t == s.type() && loose.size() == s.sizes().size()
            ? s
            : new Scheme(List.copyOf(loose), s.types(), t);
    loose = outer;
    outermost = outerOutermost;
    return result;
  }

  /** Expands a type constructor. The existential sizes of the result are added to the list. */
  static Type expand(TypeBinding b, List<Type.Arg> args, NameSource names, List<Name> existential) {
    if (b.params().isEmpty() && b.rhs().sizes().isEmpty() && !hasBinders(b.rhs().type())) {
      return b.rhs().type();
    }
    Subst s = new Subst(names, true);
    for (int i = 0; i < b.params().size() && i < args.size(); i++) {
      switch (args.get(i)) {
        case Type.Arg.OfSize a -> s.size(b.params().get(i).name(), a.size());
        case Type.Arg.OfType a -> s.type(b.params().get(i).name(), a.type());
      }
    }
    for (Name n : b.rhs().sizes()) {
      Name fresh = names.fresh(n.base());
      s.size(n, new Type.Size.Var(fresh));
      existential.add(fresh);
    }
    Type t = s.type(b.rhs().type());
    existential.addAll(s.loose);
    return t;
  }

  /** Tests whether a type contains a function type that binds a name. */
  static boolean hasBinders(Type t) {
    return switch (t) {
      case Type.Prim p -> false;
      case Type.Array a -> hasBinders(a.elem());
      case Type.Record r -> {
        for (Type f : r.fields().values()) {
          if (hasBinders(f)) {
            yield true;
          }
        }
        yield false;
      }
      case Type.Sum s -> {
        for (List<Type> ts : s.variants().values()) {
          for (Type p : ts) {
            if (hasBinders(p)) {
              yield true;
            }
          }
        }
        yield false;
      }
      case Type.Fun f ->
          f.param() != null
              || !f.result().sizes().isEmpty()
              || hasBinders(f.from())
              || hasBinders(f.result().type());
      case Type.Named n -> {
        for (Type.Arg a : n.args()) {
          if (a instanceof Type.Arg.OfType o && hasBinders(o.type())) {
            yield true;
          }
        }
        yield false;
      }
      case futharkc.core.language.typed.MetaType m -> {
        Type p = TypeVar.prune(m);
        yield p != m && hasBinders(p);
      }
    };
  }

  /** Sets or removes all unique marks of a type outside function types. */
  static Type unique(Type t, boolean unique) {
    return switch (t) {
      case Type.Prim p -> p;
      case Type.Array a ->
          a.unique() == unique && (unique || !hasUnique(a.elem()))
              ? a
              : new Type.Array(unique, a.size(), unique(a.elem(), false));
      case Type.Record r -> {
        boolean change = false;
        Map<String, Type> fields = new HashMap<>();
        for (Map.Entry<String, Type> f : r.fields().entrySet()) {
          Type u = unique(f.getValue(), unique);
          change |= u != f.getValue();
          fields.put(f.getKey(), u);
        }
        yield change ? new Type.Record(Type.sorted(fields)) : r;
      }
      case Type.Sum s -> {
        boolean change = false;
        java.util.TreeMap<String, List<Type>> variants = new java.util.TreeMap<>();
        for (Map.Entry<String, List<Type>> v : s.variants().entrySet()) {
          List<Type> payload = Mapper.list(v.getValue(), p -> unique(p, unique));
          change |= payload != v.getValue();
          variants.put(v.getKey(), payload);
        }
        yield change ? new Type.Sum(variants) : s;
      }
      case Type.Fun f -> f;
      case Type.Named n -> n.unique() == unique ? n : new Type.Named(unique, n.name(), n.args());
      case futharkc.core.language.typed.MetaType m -> {
        Type p = TypeVar.prune(m);
        yield p == m ? m : unique(p, unique);
      }
    };
  }

  /** Tests whether a type has a unique mark outside function types. */
  static boolean hasUnique(Type t) {
    return switch (t) {
      case Type.Prim p -> false;
      case Type.Array a -> a.unique() || hasUnique(a.elem());
      case Type.Record r -> {
        for (Type f : r.fields().values()) {
          if (hasUnique(f)) {
            yield true;
          }
        }
        yield false;
      }
      case Type.Sum s -> {
        for (List<Type> ts : s.variants().values()) {
          for (Type p : ts) {
            if (hasUnique(p)) {
              yield true;
            }
          }
        }
        yield false;
      }
      case Type.Fun f -> false;
      case Type.Named n -> n.unique();
      case futharkc.core.language.typed.MetaType m -> {
        Type p = TypeVar.prune(m);
        yield p != m && hasUnique(p);
      }
    };
  }
}
