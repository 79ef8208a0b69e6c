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
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The solver of the size variables of one definition.
 *
 * <p>A type parameter that admits existential sizes is special. When one of its sizes meets a size
 * that is bound inside the other type, the size becomes existential. Each occurrence of the type
 * parameter then has its own size. Therefore all occurrences except the first are {@link Kind#COPY
 * copies}, which are equal to the first unless the first becomes existential.
 */
final class SizeSolver {
  /** The kinds of sizes. */
  enum Kind {
    /** A variable or parameter. */
    PARAM,
    /** A size that the program computes and that has no name. */
    UNKNOWN,
    /** A size that inference determines. */
    FLEXIBLE,
    /** A size that inference determines, possibly as existential. */
    INSTANCE,
    /** A further occurrence of an instance. */
    COPY,
    /** An instance that has become existential. */
    EXISTENTIAL
  }

  /** The state of one size. */
  static final class Info {
    Kind kind;
    int level;
    final Loc loc;

    /** The text for messages: the reason for the size, or the origin of an unknown size. */
    String why;

    /** Further text about the origin of an unknown size, or null. */
    @Nullable Function<TypePrinter, String> detail;

    Type.@Nullable Size solution;
    Liftedness liftedness = Liftedness.UNLIFTED;

    /** True if a parameter belongs to a function type whose sizes inference determines. */
    boolean ofInstance;

    /** True if a flexible size is an unwritten size of a function parameter. */
    boolean ofParameter;

    /** The first occurrence of which this size is a copy, or null. */
    @Nullable Name canonical;

    int occurrence;

    /** The size that made this size existential, or null. */
    @Nullable Name source;

    /** The source range that computes the size that made this size existential, or null. */
    @Nullable Loc computedAt;

    /** Returns the size of which this size is a copy. */
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

  /** The names in order of creation, for a deterministic choice of errors. */
  private final List<Name> order = new ArrayList<>();

  private int occurrences;
  int level;

  /**
   * Creates a solver without sizes.
   *
   * @param pins whether branches determine open sizes of parameters
   */
  SizeSolver(NameSource names, boolean pins) {
    this.names = names;
    unifier = new SizeUnifier(this, names, pins);
  }

  /** Returns the sizes of parameters that branches have determined. */
  List<SizeUnifier.Pin> pinned() {
    return unifier.pinned();
  }

  // Creation of sizes

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

  /** Makes an existing name a flexible size. */
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

  /** Returns the type without unique marks and with a fresh size in every position. */
  Type freshSizes(Type t, Supplier<Name> fresh, Loc loc) {
    return new Mapper() {
      @Override
      Type meta(MetaType m) {
        Type p = TypeVar.prune(m);
        if (p == m) {
          throw new IllegalStateException("type not inferred");
        }
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
        if (t instanceof Type.Array a) {
          return new Type.Array(false, size(a.size()), type(a.elem()));
        }
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

  /** Returns a copy of a type that {@link #instanceSizes} made, for a further occurrence. */
  Type copySizes(Type t, Loc loc) {
    int occurrence = occurrences++;
    return new Mapper() {
      @Override
      Type.Size sizeVar(Type.Size.Var v) {
        Info i = infos.get(v.name());
        if (i == null || i.kind == Kind.PARAM || i.kind == Kind.UNKNOWN) {
          return v;
        }
        Info c = new Info(Kind.COPY, level, loc, i.why);
        c.canonical = i.kind == Kind.COPY ? i.canonical : v.name();
        c.occurrence = occurrence;
        return ref(add(v.name().base(), c));
      }
    }.type(t);
  }

  // Queries

  private Type.@Nullable Size solution(Name n) {
    Info i = infos.get(n);
    if (i == null) {
      return null;
    }
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

  /** Returns a size with all solutions substituted. */
  Type.Size norm(Type.Size s) {
    if (s instanceof Type.Size.Var v) {
      Type.Size found = solution(v.name());
      if (found == null) {
        return v;
      }
      Type.Size result = norm(found);
      Info i = infos.get(v.name());
      if (i != null && i.kind != Kind.COPY) {
        i.solution = result;
      }
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

  /** Returns the level of a size that may be linked, or -1. */
  int flexibleLevel(Name n) {
    Info i = infos.get(n);
    if (i == null) {
      return -1;
    }
    return switch (i.kind) {
      case PARAM, UNKNOWN, EXISTENTIAL -> -1;
      case FLEXIBLE, INSTANCE -> i.solution == null ? i.level : -1;
      case COPY -> {
        Info c = infos.get(i.original());
        yield c != null && (c.kind == Kind.FLEXIBLE || c.kind == Kind.INSTANCE) ? i.level : -1;
      }
    };
  }

  /** Tests whether a size is unsolved. */
  boolean isFlexible(Name n) {
    return flexibleLevel(n) >= 0;
  }

  boolean isUnknown(Name n) {
    Info i = infos.get(n);
    return i != null && i.kind == Kind.UNKNOWN;
  }

  /** Tests whether a size has become existential and is not bound yet. */
  boolean isPending(Name n) {
    Info i = infos.get(n);
    if (i == null) {
      return false;
    }
    if (i.kind == Kind.COPY) {
      Info c = infos.get(i.original());
      return c != null && c.kind == Kind.EXISTENTIAL;
    }
    return i.kind == Kind.EXISTENTIAL;
  }

  /** Returns the source range that computes the value of a pending size, or null. */
  @Nullable Loc computedAt(Name n) {
    Info i = infos.get(n);
    if (i != null && i.kind == Kind.COPY) {
      i = infos.get(i.original());
    }
    return i == null ? null : i.computedAt;
  }

  /** Returns a substitution that maps equal pending sizes to one representative. */
  Subst representatives(Set<Name> pending) {
    Subst s = new Subst(names);
    Map<List<Object>, Name> groups = new HashMap<>();
    pending.stream()
        .sorted(java.util.Comparator.comparingInt(Name::tag))
        .forEach(
            n -> {
              Info i = infos.get(n);
              if (i == null || i.kind != Kind.COPY) {
                return;
              }
              Info c = infos.get(i.original());
              if (c == null || c.source == null) {
                return;
              }
              Name rep = groups.putIfAbsent(List.of(i.occurrence, c.source), n);
              if (rep != null) {
                s.size(n, ref(rep));
              }
            });
    return s;
  }

  /** Marks open sizes as unwritten sizes of function parameters. */
  void ofParameter(Set<Name> names) {
    for (Name n : names) {
      Info i = infos.get(n);
      if (i != null && isFlexible(n)) {
        i.ofParameter = true;
      }
    }
  }

  /**
   * Turns instances of at least a level into ordinary flexible sizes unless they have become
   * existential.
   */
  void settleInstances(int fromLevel) {
    for (Name n : order) {
      Info i = infos.get(n);
      if (i == null || i.level < fromLevel) {
        continue;
      }
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

  /** Restores the state of a size. */
  void restore(Name n, Info info) {
    infos.put(n, info);
  }

  /** Unifies the sizes of two types. Throws if they cannot be equal. */
  void unify(SizeUnifier.Usage usage, Type expected, Type actual) {
    unifier.unify(usage, expected, actual);
  }

  /** Returns the common type of two types, with an unknown size where their sizes differ. */
  SizeUnifier.Common common(SizeUnifier.Usage usage, Type a, Type b) {
    return unifier.common(usage, a, b);
  }
}
