package futharkc.core.language.check;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.check.SizeSolver.Info;
import futharkc.core.language.check.SizeSolver.Kind;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Unification of types that can differ only in their sizes. */
final class SizeUnifier {
  private final SizeSolver sizes;
  private final NameSource names;

  /** True if branches determine open sizes of parameters. */
  private final boolean pins;

  private final List<Pin> pinned = new ArrayList<>();

  /** A branch that has determined an open size of a parameter. */
  record Pin(Loc loc, Type.Size size) {}

  SizeUnifier(SizeSolver sizes, NameSource names, boolean pins) {
    this.sizes = sizes;
    this.names = names;
    this.pins = pins;
  }

  List<Pin> pinned() {
    return pinned;
  }

  /**
   * The context of a unification: the source range, and the first sentence of the error message.
   */
  record Usage(Loc loc, String why, Function<TypePrinter, String> header) {}

  private boolean lenient;
  private final List<Name> bound = new ArrayList<>();

  /**
   * The bound parameter names of the left type. Each denotes the same parameter as the name at the
   * same index of {@link #rightBinders}.
   */
  private final List<Name> leftBinders = new ArrayList<>();

  private final List<Name> rightBinders = new ArrayList<>();

  /** Unifies the sizes of two types. Throws if they cannot be equal. */
  void unify(Usage usage, Type expected, Type actual) {
    unify(usage, false, "", expected, actual);
  }

  private static boolean consumes(Type param) {
    return Subst.hasUnique(param);
  }

  private void unify(Usage usage, boolean flipped, String crumbs, Type a, Type b) {
    if (a == b) {
      return;
    }
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
        if (b instanceof MetaType m) {
          unify(usage, flipped, crumbs, a, pruned(m));
        } else {
          fail(
              usage,
              "E0401",
              types ->
                  "Types\n  "
                      + types.of(sizes.norm(a))
                      + "\nand\n  "
                      + types.of(sizes.norm(b))
                      + "\ndo not match."
                      + crumbs,
              null);
        }
      }
    }
  }

  private static Type pruned(MetaType m) {
    Type p = TypeVar.prune(m);
    if (p == m) {
      throw new IllegalStateException("type not inferred");
    }
    return p;
  }

  private void unifyFuns(Usage usage, boolean flipped, String crumbs, Type.Fun x, Type.Fun y) {
    Type.Fun expected = flipped ? y : x;
    Type.Fun actual = flipped ? x : y;
    if (!consumes(expected.from()) && consumes(actual.from())) {
      fail(
          usage,
          "E0608",
          types ->
              "Parameters\n  "
                  + types.of(sizes.norm(x.from()))
                  + "\nand\n  "
                  + types.of(sizes.norm(y.from()))
                  + "\nare incompatible regarding consuming their arguments."
                  + crumbs,
          "unify-consuming-param");
    }
    if (Subst.hasUnique(expected.result().type()) && !Subst.hasUnique(actual.result().type())) {
      if (!(Subst.unique(expected.result().type(), true) instanceof Type.Prim)) {
        fail(
            usage,
            "E0609",
            types ->
                "Return types\n  "
                    + types.of(sizes.norm(x.result().type()))
                    + "\nand\n  "
                    + types.of(sizes.norm(y.result().type()))
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
        s.size(n, SizeSolver.ref(f));
      }
      ys = renamed;
      yr = s.type(yr);
    }
    Map<Name, @Nullable Info> before = new HashMap<>();
    for (Name n : xs) {
      before.put(n, sizes.info(n));
    }
    for (Name n : ys) {
      before.put(n, sizes.info(n));
    }
    Kind xKind = flipped ? Kind.UNKNOWN : Kind.FLEXIBLE;
    Kind yKind = flipped ? Kind.FLEXIBLE : Kind.UNKNOWN;
    for (Name n : xs) {
      sizes.restore(
          n,
          new Info(
              xKind, sizes.level, usage.loc, "is an existential size of a function's result."));
    }
    for (Name n : ys) {
      sizes.restore(
          n,
          new Info(
              yKind, sizes.level, usage.loc, "is an existential size of a function's result."));
    }

    unify(usage, !flipped, crumbs + "\nWhen matching parameter types.", x.from(), y.from());
    int mark = bound.size();
    int binders = leftBinders.size();
    if (x.param() != null && y.param() != null && !x.param().equals(y.param())) {
      leftBinders.add(x.param());
      rightBinders.add(y.param());
    }
    if (x.param() != null) {
      bound.add(x.param());
    }
    if (y.param() != null) {
      bound.add(y.param());
    }
    bound.addAll(xs);
    bound.addAll(ys);
    unify(usage, flipped, crumbs + "\nWhen matching return types.", xr, yr);
    while (bound.size() > mark) {
      bound.remove(bound.size() - 1);
    }
    while (leftBinders.size() > binders) {
      leftBinders.remove(leftBinders.size() - 1);
      rightBinders.remove(rightBinders.size() - 1);
    }

    for (Map.Entry<Name, @Nullable Info> e : before.entrySet()) {
      Info i = sizes.info(e.getKey());
      if (i == null || i.solution == null) {
        continue;
      }
      // A size that an existential size of the expected type was unified with becomes existential
      // too.
      if (sizes.norm(i.solution) instanceof Type.Size.Var v) {
        Info met = sizes.info(v.name());
        if (met != null && met.kind == Kind.COPY) {
          met = sizes.info(met.original());
        }
        if (met != null && met.kind == Kind.INSTANCE && met.liftedness != Liftedness.UNLIFTED) {
          met.kind = Kind.EXISTENTIAL;
          met.source = e.getKey();
          Info pre = e.getValue();
          met.computedAt = pre != null && pre.kind == Kind.UNKNOWN ? pre.loc : null;
        }
      }
    }
    for (Map.Entry<Name, @Nullable Info> e : before.entrySet()) {
      if (e.getValue() == null) {
        sizes.forget(e.getKey());
      } else {
        sizes.restore(e.getKey(), e.getValue());
      }
    }
  }

  private boolean mentionsBound(Type.Size s) {
    if (bound.isEmpty() || s instanceof Type.Size.Const) {
      return false;
    }
    Set<Name> free = new HashSet<>();
    SizeExps.names(s, free);
    for (Name b : bound) {
      if (free.contains(b)) {
        return true;
      }
    }
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
    a = sizes.norm(a);
    b = sizes.norm(b);
    if (a instanceof Type.Size.Any || b instanceof Type.Size.Any) {
      return;
    }
    Type.Size toA = renamed(b, bNames, aNames);
    Type.Size toB = renamed(a, aNames, bNames);
    List<SizeExps.Pair> parts = SizeExps.similar(a, toA);
    // Branches may differ in size: unifying n + n with n + 1 must not solve n to 1.
    if (parts != null && (!lenient || parts.isEmpty())) {
      for (SizeExps.Pair p : parts) {
        Type.Size q = renamed(p.right(), aNames, bNames);
        unifySizes(usage, flipped, crumbs, flipped ? q : p.left(), flipped ? p.left() : q, ta, tb);
      }
      return;
    }
    if (lenient) {
      if (!linkIfPossible(usage, a, toA)) {
        linkIfPossible(usage, b, toB);
      }
      return;
    }
    if (link(usage, crumbs, a, toA) || link(usage, crumbs, b, toB)) {
      return;
    }
    if (linkToBinder(a, toA) || linkToBinder(b, toB)) {
      return;
    }
    if (absorb(a, b) || absorb(b, a)) {
      return;
    }
    throw mismatch(usage, crumbs, a, b, flipped ? tb : ta);
  }

  private DiagnosticException mismatch(
      Usage usage, String crumbs, Type.Size a, Type.Size b, Type expected) {
    boolean anonymous = meetsAnonymous(a, b) || meetsAnonymous(b, a);
    Function<TypePrinter, String> message =
        types ->
            usage.header.apply(types)
                + "\n\nSizes \""
                + types.of(a)
                + "\" and \""
                + types.of(b)
                + "\" do not match."
                + (anonymous
                    ? "\nThis is because a type parameter would be instantiated with a type"
                        + " containing anonymous sizes."
                    : "")
                + crumbs
                + origins(types, a, b);
    Diagnostic d = Diagnostic.error("E0502", usage.loc, TypePrinter.message(message));
    boolean isFalse = a instanceof Type.Size.Const && b instanceof Type.Size.Const;
    return new DiagnosticException(crumbs.isEmpty() && !isFalse ? d.hint(hint(a, expected)) : d);
  }

  /** Returns a remedy for an array with another size than that of the expected type. */
  private String hint(Type.Size size, Type expected) {
    Set<Name> unnamed = new LinkedHashSet<>();
    SizeExps.names(size, unnamed);
    boolean isNameable =
        unnamed.stream()
            .map(sizes::info)
            .noneMatch(i -> i != null && i.kind != Kind.PARAM && i.kind != Kind.UNKNOWN);
    if (!isNameable) {
      return "Coerce with ':>' to a type with the expected sizes if they are equal at run time.";
    }
    unnamed.removeIf(n -> !sizes.isUnknown(n));
    String coercion =
        "dd ':> "
            + TypePrinter.show(sizes.norm(expected))
            + "' here if the sizes are equal at run time.";
    return unnamed.isEmpty()
        ? "A" + coercion
        : unnamed.stream()
            .map(n -> "[" + n.base() + "]")
            .collect(
                joining(
                    " ", "Name the size where it arises, 'let ", " x = ...', and a" + coercion));
  }

  /** Returns the origins of unknown sizes that do not match, and of all numbered sizes. */
  private String origins(TypePrinter types, Type.Size a, Type.Size b) {
    Set<Name> explained = new LinkedHashSet<>();
    for (Type.Size s : List.of(a, b)) {
      if (s instanceof Type.Size.Var v && sizes.isUnknown(v.name())) {
        explained.add(v.name());
      }
    }
    explained.addAll(types.numbered());
    StringBuilder text = new StringBuilder();
    for (Name n : explained) {
      Info i = sizes.info(n);
      if (i != null) {
        text.append("\n\n\"").append(types.of(n)).append("\" ").append(origin(types, i));
      }
    }
    return text.toString();
  }

  private static String origin(TypePrinter types, Info i) {
    return switch (i.kind) {
      case UNKNOWN -> i.detail == null ? i.why : i.why + i.detail.apply(types);
      case PARAM -> "is bound at " + i.loc + ".";
      case FLEXIBLE, INSTANCE, COPY, EXISTENTIAL ->
          (i.why.isEmpty() ? "is inferred at " : "is the " + i.why + " at ") + i.loc + ".";
    };
  }

  private Type.Size renamed(Type.Size s, List<Name> from, List<Name> to) {
    if (from.isEmpty() || s instanceof Type.Size.Const) {
      return s;
    }
    Subst subst = new Subst(names);
    for (int i = 0; i < from.size(); i++) {
      subst.size(from.get(i), SizeSolver.ref(to.get(i)));
    }
    return subst.size(s);
  }

  private static void fail(
      Usage usage, String code, Function<TypePrinter, String> detail, @Nullable String anchor) {
    Function<TypePrinter, String> message =
        types -> usage.header.apply(types) + "\n\n" + detail.apply(types);
    boolean isAboutSizes = code.startsWith("E05");
    String text = isAboutSizes ? TypePrinter.message(message) : TypePrinter.unnumbered(message);
    Diagnostic d = Diagnostic.error(code, usage.loc, text);
    throw new DiagnosticException(anchor == null ? d : d.see(anchor));
  }

  private boolean link(Usage usage, String crumbs, Type.Size a, Type.Size b) {
    if (!(a instanceof Type.Size.Var v)) {
      return false;
    }
    int l = sizes.flexibleLevel(v.name());
    if (l < 0 || mentionsBound(b) && !bound.contains(v.name())) {
      return false;
    }
    link(usage, crumbs, v.name(), l, b);
    return true;
  }

  private void link(Usage usage, String crumbs, Name n, int l, Type.Size s) {
    Type.Size to = withoutCopies(s);
    Info i = requireNonNull(sizes.info(n));
    if (i.kind == Kind.COPY) {
      Info c = sizes.info(i.original());
      link(usage, crumbs, i.original(), c == null ? l : c.level, to);
      return;
    }
    if (to instanceof Type.Size.Var v && v.name().equals(n)) {
      return;
    }
    if (i.ofParameter && to instanceof Type.Size.Var v) {
      sizes.ofParameter(Set.of(v.name()));
    }
    Set<Name> free = new LinkedHashSet<>();
    SizeExps.names(to, free);
    for (Name f : free) {
      if (f.equals(n)) {
        fail(
            usage,
            "E0503",
            types ->
                "Occurs check: cannot instantiate size \""
                    + types.of(n)
                    + "\" with \""
                    + types.of(to)
                    + "\"."
                    + crumbs,
            "occurs-check");
      }
      Info other = sizes.info(f);
      if (other == null || other.level <= l) {
        continue;
      }
      if (other.kind == Kind.PARAM) {
        fail(
            usage,
            "E0504",
            types ->
                "Cannot link size \""
                    + types.of(n)
                    + "\" to \""
                    + types.of(to)
                    + "\" (scope violation), because \""
                    + types.of(f)
                    + "\" is not in scope where \""
                    + types.of(n)
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
        Info i = sizes.info(v.name());
        return i != null && i.kind == Kind.COPY ? SizeSolver.ref(i.original()) : v;
      }

      @Override
      Exp var(Exp.Var v) {
        Info i = sizes.info(v.name());
        return i != null && i.kind == Kind.COPY
            ? SizeExps.exp(SizeSolver.ref(i.original()), v.loc())
            : v;
      }
    }.size(s);
  }

  /** Links a size as {@link #link} does if that cannot fail. Returns whether it did. */
  private boolean linkIfPossible(Usage usage, Type.Size a, Type.Size b) {
    if (!(a instanceof Type.Size.Var v)) {
      return false;
    }
    int l = sizes.flexibleLevel(v.name());
    if (l < 0 || mentionsBound(b)) {
      return false;
    }
    Set<Name> free = new HashSet<>();
    SizeExps.names(b, free);
    if (free.contains(v.name())) {
      return false;
    }
    for (Name f : free) {
      Info other = sizes.info(f);
      if (other != null && other.level > l) {
        return false;
      }
    }
    Info i = sizes.info(v.name());
    if (i != null && i.ofParameter) {
      if (!pins) {
        return false;
      }
      pinned.add(new Pin(usage.loc, b));
    }
    link(usage, "", v.name(), l, b);
    return true;
  }

  private @Nullable Info instanceInfo(Name n) {
    Info i = sizes.info(n);
    if (i == null) {
      return null;
    }
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
    if (i == null || i.kind == Kind.EXISTENTIAL) {
      return false;
    }
    Set<Name> free = new HashSet<>();
    SizeExps.names(b, free);
    for (Name f : free) {
      if (!bound.contains(f)) {
        continue;
      }
      Info binder = sizes.info(f);
      if (binder == null || !binder.ofInstance) {
        return false;
      }
    }
    i.kind = Kind.FLEXIBLE;
    i.solution = b;
    return true;
  }

  private boolean absorb(Type.Size a, Type.Size b) {
    if (!(a instanceof Type.Size.Var v) || !mentionsBound(b) || bound.contains(v.name())) {
      return false;
    }
    Info i = sizes.info(v.name());
    if (i != null && i.kind == Kind.COPY) {
      i = sizes.info(i.original());
    }
    if (i == null) {
      return false;
    }
    if (i.kind == Kind.EXISTENTIAL) {
      return true;
    }
    if (i.kind != Kind.INSTANCE || i.liftedness == Liftedness.UNLIFTED) {
      return false;
    }
    i.kind = Kind.EXISTENTIAL;
    i.source = b instanceof Type.Size.Var w ? w.name() : null;
    Set<Name> free = new LinkedHashSet<>();
    SizeExps.names(b, free);
    for (Name f : free) {
      Info other = sizes.info(f);
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

  /** The common type of two types and the unknown sizes created for it. */
  record Common(Type type, List<Name> sizes) {}

  /** Returns the common type of two types, with an unknown size where their sizes differ. */
  Common common(Usage usage, Type a, Type b) {
    lenient = true;
    try {
      unify(usage, a, b);
    } finally {
      lenient = false;
    }
    Type x = sizes.norm(a);
    Type y = sizes.norm(b);
    List<Name> made = new ArrayList<>();
    Map<List<Type.Size>, Name> seen = new HashMap<>();
    Function<TypePrinter, String> branches =
        types ->
            "\nOne branch returns array of type: "
                + types.of(x)
                + "\nThe other an array of type:       "
                + types.of(y);
    Type t =
        matchSizes(
            x,
            y,
            (p, q) -> {
              if (SizeExps.same(p, q)) {
                return p;
              }
              Name n = seen.get(List.of(p, q));
              if (n == null) {
                n =
                    sizes.unknown(
                        "differ",
                        usage.loc,
                        "is unknown due to conditional expression at " + usage.loc + ".");
                requireNonNull(sizes.info(n)).detail = branches;
                made.add(n);
                seen.put(List.of(p, q), n);
              }
              return SizeSolver.ref(n);
            });
    return new Common(t, made);
  }

  /**
   * Returns the first type with each size combined with the corresponding size of the second type.
   */
  static Type matchSizes(Type a, Type b, java.util.function.BinaryOperator<Type.Size> f) {
    if (a instanceof MetaType m) {
      return matchSizes(pruned(m), b, f);
    }
    if (b instanceof MetaType m) {
      return matchSizes(a, pruned(m), f);
    }
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
