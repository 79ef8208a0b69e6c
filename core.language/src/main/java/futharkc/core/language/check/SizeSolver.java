package futharkc.core.language.check;

import static java.util.Objects.requireNonNull;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known about the sizes of one definition, and the unification of types of which only the
 * sizes can differ.
 *
 * <p>An unknown that comes of a type parameter that may be instantiated with existential sizes is
 * special: when it meets a size that is bound inside of the other type, it turns out to be
 * existential itself. Each occurrence of the type parameter is then a size of its own, which is why
 * all but the first one are {@link Kind#COPY copies}: equal to the first as long as that is not
 * existential.
 */
final class SizeSolver {
  /** What a size is. */
  enum Kind {
    /** A variable or parameter. */
    PARAM,
    /** The value of some computation that has no name. */
    UNKNOWN,
    /** To be found. */
    FLEXIBLE,
    /** To be found, perhaps existential. */
    INSTANCE,
    /** Another occurrence of an instance. */
    COPY,
    /** An instance that turned out to be existential. */
    EXISTENTIAL
  }

  /** What is known about one size. */
  static final class Info {
    Kind kind;
    int level;
    final Loc loc;

    /** For messages: what makes the size needed, or for unknown ones, what it is. */
    String why;

    Type.@Nullable Size solution;
    Liftedness liftedness = Liftedness.UNLIFTED;

    /** Of a parameter: whether it is one of a function type whose sizes are to be found. */
    boolean ofInstance;

    /** Of a copy: the first occurrence, and which one this is. */
    @Nullable Name canonical;

    int occurrence;

    /** Of an existential size: the size that it met. */
    @Nullable Name source;

    /** Of an existential size: where the size that it met was computed, if it was. */
    @Nullable Loc computedAt;

    /** What a copy is a copy of. */
    Name original() {
      return requireNonNull(canonical);
    }

    Info(Kind kind, int level, Loc loc, String why) {
      this.kind = kind;
      this.level = level;
      this.loc = loc;
      this.why = why;
    }
  }

  private final NameSource names;
  private final Map<Name, Info> infos = new HashMap<>();

  /** Names in order of appearance, for a deterministic choice of what to complain about. */
  private final List<Name> order = new ArrayList<>();

  private int occurrences;
  int level;

  SizeSolver(NameSource names) {
    this.names = names;
  }

  // Making sizes

  @Nullable Info info(Name name) {
    return infos.get(name);
  }

  List<Name> all() {
    return order;
  }

  private Name add(String base, Info info) {
    Name n = names.fresh(base);
    infos.put(n, info);
    order.add(n);
    return n;
  }

  Name flexible(String base, Loc loc, String why) {
    return add(base, new Info(Kind.FLEXIBLE, level, loc, why));
  }

  /** Makes an existing name a size to be found. */
  void flexible(Name n, Loc loc, String why) {
    infos.put(n, new Info(Kind.FLEXIBLE, level, loc, why));
    order.add(n);
  }

  Name unknown(String base, Loc loc, String what) {
    return add(base, new Info(Kind.UNKNOWN, level, loc, what));
  }

  void param(Name n, Loc loc) {
    infos.put(n, new Info(Kind.PARAM, level, loc, ""));
  }

  void forget(Name n) {
    infos.remove(n);
  }

  Name instance(String base, Liftedness l, Loc loc, String why) {
    Info i = new Info(Kind.INSTANCE, level, loc, why);
    i.liftedness = l;
    return add(base, i);
  }

  static Type.Size ref(Name n) {
    return new Type.Size.Var(n);
  }

  /** The type without unique marks and with a new size in every place. */
  Type freshSizes(Type t, Supplier<Name> fresh, Loc loc) {
    return new Mapper() {
      @Override
      Type meta(MetaType m) {
        Type p = TypeVar.prune(m);
        if (p == m) throw new IllegalStateException("type not inferred");
        return type(p);
      }

      @Override
      Type.Size size(Type.Size s) {
        return ref(fresh.get());
      }

      @Override
      Type named(Type.Named n) {
        return n.unique() ? new Type.Named(false, n.name(), n.args()) : n;
      }

      @Override
      Type type(Type t) {
        if (t instanceof Type.Array a) return new Type.Array(false, size(a.size()), type(a.elem()));
        if (t instanceof Type.Fun f) {
          Name param = f.param() == null ? null : names.fresh(f.param().base());
          if (param != null) {
            param(param, loc);
            requireNonNull(infos.get(param)).ofInstance = true;
          }
          return new Type.Fun(param, type(f.from()), Type.Result.of(type(f.result().type())));
        }
        return super.type(t);
      }
    }.type(t);
  }

  Type instanceSizes(Type t, Liftedness l, Loc loc, String why) {
    return freshSizes(t, () -> instance("d", l, loc, why), loc);
  }

  /** Another occurrence of what {@link #instanceSizes} made. */
  Type copySizes(Type t, Loc loc) {
    int occurrence = occurrences++;
    return new Mapper() {
      @Override
      Type.Size sizeVar(Type.Size.Var v) {
        Info i = infos.get(v.name());
        if (i == null || i.kind == Kind.PARAM || i.kind == Kind.UNKNOWN) return v;
        Info c = new Info(Kind.COPY, level, loc, i.why);
        c.canonical = i.kind == Kind.COPY ? i.canonical : v.name();
        c.occurrence = occurrence;
        return ref(add(v.name().base(), c));
      }
    }.type(t);
  }

  // Looking up

  private Type.@Nullable Size solution(Name n) {
    Info i = infos.get(n);
    if (i == null) return null;
    if (i.kind == Kind.COPY) {
      Info c = infos.get(i.original());
      return c == null ? ref(i.original()) : c.solution == null ? null : ref(i.original());
    }
    return i.solution;
  }

  private final Mapper norm =
      new Mapper() {
        @Override
        Type.Size sizeVar(Type.Size.Var v) {
          return norm((Type.Size) v);
        }

        @Override
        Exp var(Exp.Var v) {
          Type.Size s = solution(v.name());
          return s == null ? v : SizeExps.exp(norm(s), v.loc());
        }

        @Override
        Type meta(MetaType m) {
          Type p = TypeVar.prune(m);
          return p == m ? m : type(p);
        }
      };

  /** A size with all that has been found put in. */
  Type.Size norm(Type.Size s) {
    if (s instanceof Type.Size.Var v) {
      Type.Size found = solution(v.name());
      if (found == null) return v;
      Type.Size result = norm(found);
      Info i = infos.get(v.name());
      if (i != null && i.kind != Kind.COPY) i.solution = result;
      return result;
    }
    return s instanceof Type.Size.Of ? norm.size(s) : s;
  }

  Type norm(Type t) {
    return norm.type(t);
  }

  Mapper normaliser() {
    return norm;
  }

  /** The level of a size that may be linked, else -1. */
  private int flexibleLevel(Name n) {
    Info i = infos.get(n);
    if (i == null) return -1;
    return switch (i.kind) {
      case PARAM, UNKNOWN, EXISTENTIAL -> -1;
      case FLEXIBLE, INSTANCE -> i.solution == null ? i.level : -1;
      case COPY -> {
        Info c = infos.get(i.original());
        yield c != null && (c.kind == Kind.FLEXIBLE || c.kind == Kind.INSTANCE) ? i.level : -1;
      }
    };
  }

  /** Whether a size is still to be found. */
  boolean isFlexible(Name n) {
    return flexibleLevel(n) >= 0;
  }

  boolean isUnknown(Name n) {
    Info i = infos.get(n);
    return i != null && i.kind == Kind.UNKNOWN;
  }

  /** Whether a size has been found to be existential, but is not bound anywhere yet. */
  boolean isPending(Name n) {
    Info i = infos.get(n);
    if (i == null) return false;
    if (i.kind == Kind.COPY) {
      Info c = infos.get(i.original());
      return c != null && c.kind == Kind.EXISTENTIAL;
    }
    return i.kind == Kind.EXISTENTIAL;
  }

  /** Where the computation is that a pending size got its value from, if it did from one. */
  @Nullable Loc computedAt(Name n) {
    Info i = infos.get(n);
    if (i != null && i.kind == Kind.COPY) i = infos.get(i.original());
    return i == null ? null : i.computedAt;
  }

  /** Maps those of the pending sizes that are the same as another one to that one. */
  Subst representatives(Set<Name> pending) {
    Subst s = new Subst(names);
    Map<List<Object>, Name> groups = new HashMap<>();
    pending.stream()
        .sorted(java.util.Comparator.comparingInt(Name::tag))
        .forEach(
            n -> {
              Info i = infos.get(n);
              if (i == null || i.kind != Kind.COPY) return;
              Info c = infos.get(i.original());
              if (c == null || c.source == null) return;
              Name rep = groups.putIfAbsent(List.of(i.occurrence, c.source), n);
              if (rep != null) s.size(n, ref(rep));
            });
    return s;
  }

  /**
   * From here on, instances of at least that level that are not existential are sizes to be found
   * like any other.
   */
  void settleInstances(int fromLevel) {
    for (Name n : order) {
      Info i = infos.get(n);
      if (i == null || i.level < fromLevel) continue;
      if (i.kind == Kind.COPY) {
        Info c = infos.get(i.original());
        if (c == null || c.kind != Kind.EXISTENTIAL) {
          i.kind = Kind.FLEXIBLE;
          i.solution = ref(i.original());
        }
      } else if (i.kind == Kind.INSTANCE) {
        i.kind = Kind.FLEXIBLE;
      }
    }
  }

  // Unification

  /** What a unification is for: where, and the first sentence of the complaint if it fails. */
  record Usage(Loc loc, String why, Supplier<String> header) {}

  private boolean lenient;
  private final List<Name> bound = new ArrayList<>();

  /** Names of parameters in the types on both sides that are the same parameter. */
  private final List<Name> leftBinders = new ArrayList<>();

  private final List<Name> rightBinders = new ArrayList<>();

  /** Makes the sizes of two types the same; throws if they are not. */
  void unify(Usage usage, Type expected, Type actual) {
    unify(usage, false, "", expected, actual);
  }

  private static boolean consumes(Type param) {
    return Subst.hasUnique(param);
  }

  private void unify(Usage usage, boolean flipped, String crumbs, Type a, Type b) {
    if (a == b) return;
    switch (a) {
      case Type.Prim p when b instanceof Type.Prim q && p.type() == q.type() -> {}
      case Type.Array x when b instanceof Type.Array y -> {
        unifySizes(usage, flipped, crumbs, x.size(), y.size(), a, b);
        unify(usage, flipped, crumbs, x.elem(), y.elem());
      }
      case Type.Record x
          when b instanceof Type.Record y && x.fields().keySet().equals(y.fields().keySet()) -> {
        for (Map.Entry<String, Type> f : x.fields().entrySet()) {
          unify(usage, flipped, crumbs, f.getValue(), requireNonNull(y.fields().get(f.getKey())));
        }
      }
      case Type.Sum x
          when b instanceof Type.Sum y && x.variants().keySet().equals(y.variants().keySet()) -> {
        for (Map.Entry<String, List<Type>> v : x.variants().entrySet()) {
          List<Type> other = requireNonNull(y.variants().get(v.getKey()));
          for (int i = 0; i < v.getValue().size(); i++) {
            unify(usage, flipped, crumbs, v.getValue().get(i), other.get(i));
          }
        }
      }
      case Type.Named x when b instanceof Type.Named y && x.name().equals(y.name()) -> {
        for (int i = 0; i < x.args().size(); i++) {
          if (x.args().get(i) instanceof Type.Arg.OfSize s
              && y.args().get(i) instanceof Type.Arg.OfSize t) {
            unifySizes(usage, flipped, crumbs, s.size(), t.size(), a, b);
          } else if (x.args().get(i) instanceof Type.Arg.OfType s
              && y.args().get(i) instanceof Type.Arg.OfType t) {
            unify(usage, flipped, crumbs, s.type(), t.type());
          }
        }
      }
      case Type.Fun x when b instanceof Type.Fun y -> unifyFuns(usage, flipped, crumbs, x, y);
      case MetaType m -> unify(usage, flipped, crumbs, pruned(m), b);
      default -> {
        if (b instanceof MetaType m) unify(usage, flipped, crumbs, a, pruned(m));
        else
          fail(
              usage,
              "E0401",
              "Types\n  "
                  + TypePrinter.show(norm(a))
                  + "\nand\n  "
                  + TypePrinter.show(norm(b))
                  + "\ndo not match."
                  + crumbs,
              null);
      }
    }
  }

  private static Type pruned(MetaType m) {
    Type p = TypeVar.prune(m);
    if (p == m) throw new IllegalStateException("type not inferred");
    return p;
  }

  private void unifyFuns(Usage usage, boolean flipped, String crumbs, Type.Fun x, Type.Fun y) {
    Type.Fun expected = flipped ? y : x;
    Type.Fun actual = flipped ? x : y;
    if (!consumes(expected.from()) && consumes(actual.from())) {
      fail(
          usage,
          "E0608",
          "Parameters\n  "
              + TypePrinter.show(norm(x.from()))
              + "\nand\n  "
              + TypePrinter.show(norm(y.from()))
              + "\nare incompatible regarding consuming their arguments."
              + crumbs,
          "unify-consuming-param");
    }
    if (Subst.hasUnique(expected.result().type()) && !Subst.hasUnique(actual.result().type())) {
      if (!(Subst.unique(expected.result().type(), true) instanceof Type.Prim)) {
        fail(
            usage,
            "E0609",
            "Return types\n  "
                + TypePrinter.show(norm(x.result().type()))
                + "\nand\n  "
                + TypePrinter.show(norm(y.result().type()))
                + "\nhave incompatible uniqueness."
                + crumbs,
            null);
      }
    }
    List<Name> xs = x.result().sizes();
    List<Name> ys = y.result().sizes();
    Type xr = x.result().type();
    Type yr = y.result().type();
    if (!ys.isEmpty() && xs.stream().anyMatch(ys::contains)) {
      Subst s = new Subst(names);
      List<Name> renamed = new ArrayList<>();
      for (Name n : ys) {
        Name f = names.fresh(n.base());
        renamed.add(f);
        s.size(n, ref(f));
      }
      ys = renamed;
      yr = s.type(yr);
    }
    Map<Name, @Nullable Info> before = new HashMap<>();
    for (Name n : xs) before.put(n, infos.get(n));
    for (Name n : ys) before.put(n, infos.get(n));
    Kind xKind = flipped ? Kind.UNKNOWN : Kind.FLEXIBLE;
    Kind yKind = flipped ? Kind.FLEXIBLE : Kind.UNKNOWN;
    for (Name n : xs)
      infos.put(
          n, new Info(xKind, level, usage.loc, "is an existential size of a function's result."));
    for (Name n : ys)
      infos.put(
          n, new Info(yKind, level, usage.loc, "is an existential size of a function's result."));

    unify(usage, !flipped, crumbs + "\nWhen matching parameter types.", x.from(), y.from());
    int mark = bound.size();
    int binders = leftBinders.size();
    if (x.param() != null && y.param() != null && !x.param().equals(y.param())) {
      leftBinders.add(x.param());
      rightBinders.add(y.param());
    }
    if (x.param() != null) bound.add(x.param());
    if (y.param() != null) bound.add(y.param());
    bound.addAll(xs);
    bound.addAll(ys);
    unify(usage, flipped, crumbs + "\nWhen matching return types.", xr, yr);
    while (bound.size() > mark) bound.remove(bound.size() - 1);
    while (leftBinders.size() > binders) {
      leftBinders.remove(leftBinders.size() - 1);
      rightBinders.remove(rightBinders.size() - 1);
    }

    for (Map.Entry<Name, @Nullable Info> e : before.entrySet()) {
      Info i = infos.get(e.getKey());
      if (i == null || i.solution == null) continue;
      // What an existential size of the expected type was found to be is existential, too.
      if (norm(i.solution) instanceof Type.Size.Var v) {
        Info met = infos.get(v.name());
        if (met != null && met.kind == Kind.COPY) met = infos.get(met.canonical);
        if (met != null && met.kind == Kind.INSTANCE && met.liftedness != Liftedness.UNLIFTED) {
          met.kind = Kind.EXISTENTIAL;
          met.source = e.getKey();
          Info pre = e.getValue();
          met.computedAt = pre != null && pre.kind == Kind.UNKNOWN ? pre.loc : null;
        }
      }
    }
    for (Map.Entry<Name, @Nullable Info> e : before.entrySet()) {
      if (e.getValue() == null) infos.remove(e.getKey());
      else infos.put(e.getKey(), e.getValue());
    }
  }

  private boolean mentionsBound(Type.Size s) {
    if (bound.isEmpty() || s instanceof Type.Size.Const) return false;
    Set<Name> free = new HashSet<>();
    SizeExps.names(s, free);
    for (Name b : bound) if (free.contains(b)) return true;
    return false;
  }

  private void unifySizes(
      Usage usage, boolean flipped, String crumbs, Type.Size a, Type.Size b, Type ta, Type tb) {
    if (flipped) {
      Type.Size swap = a;
      a = b;
      b = swap;
    }
    List<Name> aNames = flipped ? rightBinders : leftBinders;
    List<Name> bNames = flipped ? leftBinders : rightBinders;
    a = norm(a);
    b = norm(b);
    if (a instanceof Type.Size.Any || b instanceof Type.Size.Any) return;
    Type.Size toA = renamed(b, bNames, aNames);
    Type.Size toB = renamed(a, aNames, bNames);
    List<SizeExps.Pair> parts = SizeExps.similar(a, toA);
    if (parts != null) {
      for (SizeExps.Pair p : parts) {
        Type.Size q = renamed(p.right(), aNames, bNames);
        unifySizes(usage, flipped, crumbs, flipped ? q : p.left(), flipped ? p.left() : q, ta, tb);
      }
      return;
    }
    if (lenient) {
      if (!linkIfPossible(usage, a, toA)) linkIfPossible(usage, b, toB);
      return;
    }
    if (link(usage, crumbs, a, toA) || link(usage, crumbs, b, toB)) return;
    if (linkToBinder(a, toA) || linkToBinder(b, toB)) return;
    if (absorb(a, b) || absorb(b, a)) return;
    StringBuilder text =
        new StringBuilder("Sizes \"")
            .append(TypePrinter.show(a))
            .append("\" and \"")
            .append(TypePrinter.show(b))
            .append("\" do not match.");
    if (meetsAnonymous(a, b) || meetsAnonymous(b, a)) {
      text.append(
          "\n"
              + "This is because a type parameter would be instantiated with a type containing"
              + " anonymous sizes.");
    }
    text.append(crumbs);
    note(a, text);
    note(b, text);
    fail(usage, "E0502", text.toString(), null);
  }

  private Type.Size renamed(Type.Size s, List<Name> from, List<Name> to) {
    if (from.isEmpty() || s instanceof Type.Size.Const) return s;
    Subst subst = new Subst(names);
    for (int i = 0; i < from.size(); i++) subst.size(from.get(i), ref(to.get(i)));
    return subst.size(s);
  }

  private void note(Type.Size s, StringBuilder text) {
    if (s instanceof Type.Size.Var v) {
      Info i = infos.get(v.name());
      if (i != null && i.kind == Kind.UNKNOWN) {
        text.append("\n\n\"").append(v.name().base()).append("\" ").append(i.why);
      }
    }
  }

  private void fail(Usage usage, String code, String detail, @Nullable String anchor) {
    Diagnostic d = Diagnostic.error(code, usage.loc, usage.header.get() + "\n\n" + detail);
    throw new DiagnosticException(anchor == null ? d : d.see(anchor));
  }

  private boolean link(Usage usage, String crumbs, Type.Size a, Type.Size b) {
    if (!(a instanceof Type.Size.Var v)) return false;
    int l = flexibleLevel(v.name());
    if (l < 0 || mentionsBound(b) && !bound.contains(v.name())) return false;
    link(usage, crumbs, v.name(), l, b);
    return true;
  }

  private void link(Usage usage, String crumbs, Name n, int l, Type.Size s) {
    Type.Size to = withoutCopies(s);
    Info i = requireNonNull(infos.get(n));
    if (i.kind == Kind.COPY) {
      Info c = infos.get(i.original());
      link(usage, crumbs, i.original(), c == null ? l : c.level, to);
      return;
    }
    if (to instanceof Type.Size.Var v && v.name().equals(n)) return;
    Set<Name> free = new LinkedHashSet<>();
    SizeExps.names(to, free);
    for (Name f : free) {
      if (f.equals(n)) {
        fail(
            usage,
            "E0503",
            "Occurs check: cannot instantiate size \""
                + n.base()
                + "\" with \""
                + TypePrinter.show(to)
                + "\"."
                + crumbs,
            "occurs-check");
      }
      Info other = infos.get(f);
      if (other == null || other.level <= l) continue;
      if (other.kind == Kind.PARAM) {
        fail(
            usage,
            "E0504",
            "Cannot link size \""
                + n.base()
                + "\" to \""
                + TypePrinter.show(to)
                + "\" (scope violation), because \""
                + f.base()
                + "\" is not in scope where \""
                + n.base()
                + "\" is introduced."
                + crumbs,
            "scope-violation");
      }
      other.level = l;
    }
    i.kind = Kind.FLEXIBLE;
    i.solution = to;
    i.why = usage.why;
  }

  private Type.Size withoutCopies(Type.Size s) {
    return new Mapper() {
      @Override
      Type.Size sizeVar(Type.Size.Var v) {
        Info i = infos.get(v.name());
        return i != null && i.kind == Kind.COPY ? ref(i.original()) : v;
      }

      @Override
      Exp var(Exp.Var v) {
        Info i = infos.get(v.name());
        return i != null && i.kind == Kind.COPY ? SizeExps.exp(ref(i.original()), v.loc()) : v;
      }
    }.size(s);
  }

  /** As {@link #link}, but only where it cannot fail. */
  private boolean linkIfPossible(Usage usage, Type.Size a, Type.Size b) {
    if (!(a instanceof Type.Size.Var v)) return false;
    int l = flexibleLevel(v.name());
    if (l < 0 || mentionsBound(b)) return false;
    Set<Name> free = new HashSet<>();
    SizeExps.names(b, free);
    if (free.contains(v.name())) return false;
    for (Name f : free) {
      Info other = infos.get(f);
      if (other != null && other.level > l) return false;
    }
    link(usage, "", v.name(), l, b);
    return true;
  }

  private @Nullable Info instanceInfo(Name n) {
    Info i = infos.get(n);
    if (i == null) return null;
    return switch (i.kind) {
      case INSTANCE, COPY, EXISTENTIAL -> i;
      case PARAM, UNKNOWN, FLEXIBLE -> null;
    };
  }

  private boolean linkToBinder(Type.Size a, Type.Size b) {
    if (!(a instanceof Type.Size.Var v) || !mentionsBound(b) || bound.contains(v.name())) {
      return false;
    }
    Info i = instanceInfo(v.name());
    if (i == null || i.kind == Kind.EXISTENTIAL) return false;
    Set<Name> free = new HashSet<>();
    SizeExps.names(b, free);
    for (Name f : free) {
      if (!bound.contains(f)) continue;
      Info binder = infos.get(f);
      if (binder == null || !binder.ofInstance) return false;
    }
    i.kind = Kind.FLEXIBLE;
    i.solution = b;
    return true;
  }

  private boolean absorb(Type.Size a, Type.Size b) {
    if (!(a instanceof Type.Size.Var v) || !mentionsBound(b) || bound.contains(v.name())) {
      return false;
    }
    Info i = infos.get(v.name());
    if (i != null && i.kind == Kind.COPY) i = infos.get(i.original());
    if (i == null) return false;
    if (i.kind == Kind.EXISTENTIAL) return true;
    if (i.kind != Kind.INSTANCE || i.liftedness == Liftedness.UNLIFTED) return false;
    i.kind = Kind.EXISTENTIAL;
    i.source = b instanceof Type.Size.Var w ? w.name() : null;
    Set<Name> free = new LinkedHashSet<>();
    SizeExps.names(b, free);
    for (Name f : free) {
      Info other = infos.get(f);
      if (other != null && other.kind == Kind.UNKNOWN) {
        i.computedAt = other.loc;
        break;
      }
    }
    return true;
  }

  private boolean meetsAnonymous(Type.Size a, Type.Size b) {
    return a instanceof Type.Size.Var v && mentionsBound(b) && instanceInfo(v.name()) != null;
  }

  /** What a function on two types returns, and the sizes that it made. */
  record Common(Type type, List<Name> sizes) {}

  /** The type that both types are, with unknown sizes where theirs differ. */
  Common common(Usage usage, Type a, Type b) {
    lenient = true;
    try {
      unify(usage, a, b);
    } finally {
      lenient = false;
    }
    Type x = norm(a);
    Type y = norm(b);
    List<Name> made = new ArrayList<>();
    Map<List<Type.Size>, Name> seen = new HashMap<>();
    String what =
        "is unknown due to conditional expression at "
            + usage.loc
            + ".\nOne branch returns array of type: "
            + TypePrinter.show(x)
            + "\nThe other an array of type:       "
            + TypePrinter.show(y);
    Type t =
        matchSizes(
            x,
            y,
            (p, q) -> {
              if (SizeExps.same(p, q)) return p;
              Name n = seen.get(List.of(p, q));
              if (n == null) {
                n = unknown("differ", usage.loc, what);
                made.add(n);
                seen.put(List.of(p, q), n);
              }
              return ref(n);
            });
    return new Common(t, made);
  }

  /** The first type, with sizes computed from those of both. */
  static Type matchSizes(Type a, Type b, java.util.function.BinaryOperator<Type.Size> f) {
    if (a instanceof MetaType m) return matchSizes(pruned(m), b, f);
    if (b instanceof MetaType m) return matchSizes(a, pruned(m), f);
    return switch (a) {
      case Type.Prim p -> p;
      case Type.Array x when b instanceof Type.Array y ->
          new Type.Array(
              x.unique(), f.apply(x.size(), y.size()), matchSizes(x.elem(), y.elem(), f));
      case Type.Record x when b instanceof Type.Record y -> {
        Map<String, Type> fields = new HashMap<>();
        for (Map.Entry<String, Type> e : x.fields().entrySet()) {
          Type other = y.fields().get(e.getKey());
          fields.put(e.getKey(), other == null ? e.getValue() : matchSizes(e.getValue(), other, f));
        }
        yield new Type.Record(Type.sorted(fields));
      }
      case Type.Sum x when b instanceof Type.Sum y -> {
        java.util.TreeMap<String, List<Type>> variants = new java.util.TreeMap<>();
        for (Map.Entry<String, List<Type>> e : x.variants().entrySet()) {
          List<Type> other = requireNonNull(y.variants().get(e.getKey()));
          List<Type> payload = new ArrayList<>();
          for (int i = 0; i < e.getValue().size(); i++) {
            payload.add(matchSizes(e.getValue().get(i), other.get(i), f));
          }
          variants.put(e.getKey(), payload);
        }
        yield new Type.Sum(variants);
      }
      case Type.Fun x when b instanceof Type.Fun y ->
          new Type.Fun(
              x.param(),
              matchSizes(x.from(), y.from(), f),
              new Type.Result(
                  x.result().sizes(), matchSizes(x.result().type(), y.result().type(), f)));
      case Type.Named x when b instanceof Type.Named y -> {
        List<Type.Arg> args = new ArrayList<>();
        for (int i = 0; i < x.args().size(); i++) {
          Type.Arg arg = x.args().get(i);
          if (arg instanceof Type.Arg.OfSize s && y.args().get(i) instanceof Type.Arg.OfSize t) {
            args.add(new Type.Arg.OfSize(f.apply(s.size(), t.size())));
          } else if (arg instanceof Type.Arg.OfType s
              && y.args().get(i) instanceof Type.Arg.OfType t) {
            args.add(new Type.Arg.OfType(matchSizes(s.type(), t.type(), f)));
          } else {
            args.add(arg);
          }
        }
        yield new Type.Named(x.unique(), x.name(), args);
      }
      default -> a;
    };
  }
}
