package futharkc.core.language.check;

import static java.util.Objects.requireNonNull;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known about the sizes of one definition.
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

    /** Of a size to be found: whether it stands for one of a parameter's that nobody wrote. */
    boolean ofParameter;

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
  private final SizeUnifier unifier;
  private final Map<Name, Info> infos = new HashMap<>();

  /** Names in order of appearance, for a deterministic choice of what to complain about. */
  private final List<Name> order = new ArrayList<>();

  private int occurrences;
  int level;

  /**
   * With nothing known yet.
   *
   * @param pins whether branches determine open sizes of parameters
   */
  SizeSolver(NameSource names, boolean pins) {
    this.names = names;
    unifier = new SizeUnifier(this, names, pins);
  }

  /** Which sizes of parameters branches have determined. */
  List<SizeUnifier.Pin> pinned() {
    return unifier.pinned();
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
  int flexibleLevel(Name n) {
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

  /** Notes that these sizes are those of a parameter's type that nobody wrote, if they are open. */
  void ofParameter(Set<Name> names) {
    for (Name n : names) {
      Info i = infos.get(n);
      if (i != null && isFlexible(n)) i.ofParameter = true;
    }
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

  /** Puts back what was known about a size. */
  void restore(Name n, Info info) {
    infos.put(n, info);
  }

  /** Makes the sizes of two types the same; throws if they are not. */
  void unify(SizeUnifier.Usage usage, Type expected, Type actual) {
    unifier.unify(usage, expected, actual);
  }

  /** The type that both types are, with unknown sizes where theirs differ. */
  SizeUnifier.Common common(SizeUnifier.Usage usage, Type a, Type b) {
    return unifier.common(usage, a, b);
  }
}
