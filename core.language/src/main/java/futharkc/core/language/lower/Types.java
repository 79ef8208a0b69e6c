package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.SubExp;
import futharkc.core.language.Intrinsics;
import futharkc.core.language.lower.Frame.TypeThunk;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The evaluation of types and sizes in a frame, the inference of sizes from values, and the
 * conversion of values to types.
 */
final class Types {
  /** The largest rank that the binary format of values can encode. */
  private static final int MAX_RANK = 255;

  private final Elaborator el;
  private final Emit emit;
  private final Map<Name, Program.TypeDef> defs;
  private final Set<Name> hidden = new HashSet<>();

  Types(Elaborator el, Map<Name, Program.TypeDef> defs) {
    this.el = el;
    this.emit = el.emit;
    this.defs = defs;
    for (Program.TypeDef d : defs.values()) {
      hidden.addAll(d.type().sizes());
    }
  }

  /** Evaluates a type in a frame. Sizes that are unbound there become {@link Ty#UNKNOWN}. */
  Ty eval(Type t, Frame f) {
    return eval(t, f, this::size);
  }

  private static Ty array(SubExp size, Ty elem) {
    int rank = 1;
    for (Ty e = elem; e instanceof Ty.Array a; e = a.elem()) {
      rank++;
    }
    if (rank > MAX_RANK) {
      throw new LoweringException(
          Loc.NONE,
          "The program has an array with more than "
              + MAX_RANK
              + " dimensions, which is the limit.");
    }
    return new Ty.Array(size, elem);
  }

  /** Evaluates a type in a frame with a given evaluation of sizes. */
  Ty eval(Type t, Frame f, BiFunction<Type.Size, Frame, SubExp> sizes) {
    return switch (t) {
      case Type.Prim p -> new Ty.Prim(p.type());
      case Type.Array a -> array(sizes.apply(a.size(), f), eval(a.elem(), f, sizes));
      case Type.Record r -> {
        TreeMap<String, Ty> fields = new TreeMap<>(Type.FIELD_ORDER);
        r.fields().forEach((k, x) -> fields.put(k, eval(x, f, sizes)));
        yield new Ty.Record(fields);
      }
      case Type.Sum s -> {
        TreeMap<String, List<Ty>> variants = new TreeMap<>();
        s.variants()
            .forEach((k, xs) -> variants.put(k, xs.stream().map(x -> eval(x, f, sizes)).toList()));
        yield new Ty.Sum(variants);
      }
      case Type.Fun x -> new Ty.Fun();
      case Type.Named n -> named(n, f, sizes);
      case futharkc.core.language.typed.MetaType m -> {
        if (m.solution == null) {
          throw new IllegalStateException("unsolved type " + m);
        }
        yield eval(m.solution, f, sizes);
      }
    };
  }

  private Ty named(Type.Named n, Frame f, BiFunction<Type.Size, Frame, SubExp> sizes) {
    TypeThunk thunk = f.getType(n.name());
    if (thunk != null) {
      return force(thunk, sizes);
    }
    if (n.name().isIntrinsic() && n.name().base().equals(Intrinsics.ACC)) {
      return new Ty.Acc(
          new futharkc.core.ir.Type.Acc(((SubExp.Var) Ty.UNKNOWN).name(), List.of(), List.of()),
          Ty.Record.UNIT);
    }
    Program.TypeDef def = defs.get(n.name());
    if (def == null) {
      throw new IllegalStateException("unknown type " + n.name());
    }
    Frame inner = new Frame(null);
    for (int i = 0; i < def.params().size(); i++) {
      Name param = def.params().get(i).name();
      switch (n.args().get(i)) {
        case Type.Arg.OfSize s -> {
          SubExp size = sizes.apply(s.size(), f);
          if (!size.equals(Ty.UNKNOWN)) {
            inner.put(param, LoweredValue.i64(size));
          }
        }
        case Type.Arg.OfType a -> inner.putType(param, TypeThunk.of(eval(a.type(), f, sizes)));
      }
    }
    return eval(def.type().type(), inner, sizes);
  }

  private Ty force(TypeThunk t, BiFunction<Type.Size, Frame, SubExp> sizes) {
    if (t.resolved() != null) {
      return t.resolved();
    }
    return eval(
        java.util.Objects.requireNonNull(t.type()),
        java.util.Objects.requireNonNull(t.frame()),
        sizes);
  }

  Ty force(TypeThunk t) {
    return force(t, this::size);
  }

  /** Evaluates a size in a frame. The result is {@link Ty#UNKNOWN} if the size is unbound. */
  SubExp size(Type.Size s, Frame f) {
    return switch (s) {
      case Type.Size.Const c -> SubExp.i64(c.value());
      case Type.Size.Var v -> {
        LoweredValue known = el.lookup(v.name(), f);
        yield known == null ? Ty.UNKNOWN : known.scalar();
      }
      case Type.Size.Of e -> el.eval(e.exp(), f).scalar();
      case Type.Size.Any a -> Ty.UNKNOWN;
    };
  }

  /**
   * Evaluates a size that is a constant or name. The result is {@link Ty#UNKNOWN} if the size
   * requires statements.
   */
  SubExp simpleSize(Type.Size s, Frame f) {
    return s instanceof Type.Size.Of ? Ty.UNKNOWN : size(s, f);
  }

  /**
   * Evaluates a size with scalar operations. The result is {@link Ty#UNKNOWN} if the size requires
   * other statements.
   */
  SubExp scalarSize(Type.Size s, Frame f) {
    if (!(s instanceof Type.Size.Of)) {
      return size(s, f);
    }
    Emit.Block tried = emit.nested();
    emit.in(tried, () -> size(s, f));
    boolean scalar = tried.stms().stream().allMatch(x -> x.exp() instanceof BasicOp);
    return scalar ? size(s, f) : Ty.UNKNOWN;
  }

  // --- Sizes from values ---

  /**
   * Binds the wanted sizes that occur as dimensions in a type to the sizes of a value, and removes
   * them from the set.
   */
  void bind(Type t, Frame f, Ty actual, Set<Name> wanted) {
    if (!wanted.isEmpty()) {
      bindSizes(t, f, actual, wanted);
    }
  }

  /**
   * Tests whether an abstract type hides a size. Each value of the type has its own hidden size.
   */
  boolean isHidden(Name size) {
    return hidden.contains(size);
  }

  /** Binds all unbound sizes that occur as dimensions in a type. */
  void bindUnbound(Type t, Frame f, Ty actual) {
    bindSizes(t, f, actual, null);
  }

  private void bindSizes(Type t, Frame f, Ty actual, @Nullable Set<Name> wanted) {
    switch (t) {
      case Type.Prim p -> {}
      case Type.Fun x -> {}
      case Type.Array a -> {
        if (!(actual instanceof Ty.Array b)) {
          return;
        }
        if (a.size() instanceof Type.Size.Var v && !b.size().equals(Ty.UNKNOWN)) {
          boolean binds =
              wanted != null
                  ? wanted.remove(v.name())
                  : !hidden.contains(v.name()) && el.lookup(v.name(), f) == null;
          if (binds) {
            emit.assumeNonNegative(b.size());
            f.put(v.name(), LoweredValue.i64(b.size()));
          }
        }
        bindSizes(a.elem(), f, b.elem(), wanted);
      }
      case Type.Record r -> {
        if (!(actual instanceof Ty.Record b)) {
          return;
        }
        r.fields().forEach((k, x) -> bindSizes(x, f, b.field(k), wanted));
      }
      case Type.Sum s -> {
        if (!(actual instanceof Ty.Sum b)) {
          return;
        }
        s.variants()
            .forEach(
                (k, xs) -> {
                  for (int i = 0; i < xs.size(); i++) {
                    bindSizes(xs.get(i), f, b.payload(k).get(i), wanted);
                  }
                });
      }
      case Type.Named n -> {
        if (n.args().isEmpty() || f.getType(n.name()) != null) {
          return;
        }
        Type inner = expand(n);
        if (inner != null) {
          bindSizes(inner, f, actual, wanted);
        }
      }
      case futharkc.core.language.typed.MetaType m -> {
        if (m.solution != null) {
          bindSizes(m.solution, f, actual, wanted);
        }
      }
    }
  }

  /** Returns the definition of an abstract type with its parameters substituted, or null. */
  private @Nullable Type expand(Type.Named n) {
    Program.TypeDef def = defs.get(n.name());
    if (def == null) {
      return null;
    }
    Map<Name, Type.Arg> args = new HashMap<>();
    for (int i = 0; i < def.params().size(); i++) {
      args.put(def.params().get(i).name(), n.args().get(i));
    }
    return substitute(def.type().type(), args);
  }

  private static Type substitute(Type t, Map<Name, Type.Arg> args) {
    return switch (t) {
      case Type.Prim p -> p;
      case Type.Fun x -> x;
      case Type.Array a ->
          new Type.Array(a.unique(), substitute(a.size(), args), substitute(a.elem(), args));
      case Type.Record r -> {
        TreeMap<String, Type> fields = new TreeMap<>(Type.FIELD_ORDER);
        r.fields().forEach((k, x) -> fields.put(k, substitute(x, args)));
        yield new Type.Record(fields);
      }
      case Type.Sum s -> {
        TreeMap<String, List<Type>> variants = new TreeMap<>();
        s.variants()
            .forEach(
                (k, xs) -> variants.put(k, xs.stream().map(x -> substitute(x, args)).toList()));
        yield new Type.Sum(variants);
      }
      case Type.Named n ->
          args.get(n.name()) instanceof Type.Arg.OfType a
              ? a.type()
              : new Type.Named(
                  n.unique(),
                  n.name(),
                  n.args().stream()
                      .map(
                          a ->
                              switch (a) {
                                case Type.Arg.OfSize s ->
                                    (Type.Arg) new Type.Arg.OfSize(substitute(s.size(), args));
                                case Type.Arg.OfType x ->
                                    new Type.Arg.OfType(substitute(x.type(), args));
                              })
                      .toList());
      case futharkc.core.language.typed.MetaType m ->
          m.solution == null ? m : substitute(m.solution, args);
    };
  }

  private static Type.Size substitute(Type.Size s, Map<Name, Type.Arg> args) {
    return s instanceof Type.Size.Var v && args.get(v.name()) instanceof Type.Arg.OfSize a
        ? a.size()
        : s;
  }

  // --- Values at types ---

  /**
   * Renames the sizes of a value to those of a parameter's type, where these are constants or
   * names.
   */
  LoweredValue conform(Type t, Frame f, LoweredValue v) {
    if (t instanceof Type.Prim || t instanceof Type.Fun || v.hasFunctions()) {
      return v;
    }
    Ty actual = v.type();
    return coerce(v, conform(t, f, actual));
  }

  private Ty conform(Type t, Frame f, Ty actual) {
    return switch (t) {
      case Type.Array a -> {
        if (!(actual instanceof Ty.Array b)) {
          yield actual;
        }
        SubExp size = simpleSize(a.size(), f);
        yield new Ty.Array(
            size.equals(Ty.UNKNOWN) ? b.size() : size, conform(a.elem(), f, b.elem()));
      }
      case Type.Record r -> {
        if (!(actual instanceof Ty.Record b)) {
          yield actual;
        }
        TreeMap<String, Ty> fields = new TreeMap<>(Type.FIELD_ORDER);
        r.fields().forEach((k, x) -> fields.put(k, conform(x, f, b.field(k))));
        yield new Ty.Record(fields);
      }
      case Type.Prim p -> actual;
      case Type.Fun x -> actual;
      case Type.Sum s -> actual;
      case Type.Named n -> actual;
      case futharkc.core.language.typed.MetaType m -> actual;
    };
  }

  /**
   * A proof that a value has the sizes of a type: the sizes are equal by construction or checked at
   * run time. Only this class creates proofs, so every coercion has one.
   */
  static final class Sized {
    private final Ty type;
    private final List<futharkc.core.ir.Name> certs;

    private Sized(Ty type, List<futharkc.core.ir.Name> certs) {
      this.type = type;
      this.certs = certs;
    }

    /** Returns the certificates that the sizes are equal. */
    List<futharkc.core.ir.Name> certs() {
      return certs;
    }
  }

  /**
   * Checks that a value has the sizes of a type, even if checks are switched off.
   *
   * @param message the run-time error message
   */
  Sized sized(LoweredValue v, Ty target, Supplier<List<BasicOp.MsgPart>> message) {
    SubExp same = sameSizes(v, target);
    return new Sized(target, emit.checkAlways(same, message));
  }

  /** Checks that a value has the sizes of a type, unless checks are switched off. */
  Sized claimed(LoweredValue v, Ty target, Supplier<List<BasicOp.MsgPart>> message) {
    return emit.safe() ? sized(v, target, message) : new Sized(target, List.of());
  }

  private SubExp sameSizes(LoweredValue v, Ty target) {
    return switch (v) {
      case LoweredValue.Closure c -> SubExp.TRUE;
      case LoweredValue.Variant x -> SubExp.TRUE;
      case LoweredValue.Rec r -> {
        SubExp all = SubExp.TRUE;
        for (var field : r.fields().entrySet()) {
          Ty type = ((Ty.Record) target).field(field.getKey());
          all = emit.and(all, sameSizes(field.getValue(), type));
        }
        yield all;
      }
      case LoweredValue.Data d -> {
        SubExp[] all = {SubExp.TRUE};
        fill(target, d.type())
            .zipSizes(d.type(), (wanted, own) -> all[0] = emit.and(all[0], emit.eq(wanted, own)));
        yield all[0];
      }
    };
  }

  /** Converts a value to a type with other names for the same sizes. The arrays are not copied. */
  LoweredValue coerce(LoweredValue v, Ty target) {
    return coerce(
        v,
        sized(
            v,
            target,
            () -> {
              List<BasicOp.MsgPart> parts = new ArrayList<>();
              parts.add(Emit.text("Value of shape "));
              Ty actual = v.type();
              actual.zipSizes(actual, (a, b) -> Indexing.bracket(parts, a));
              parts.add(Emit.text(" does not match shape "));
              fill(target, actual).zipSizes(actual, (a, b) -> Indexing.bracket(parts, a));
              parts.add(Emit.text("."));
              return parts;
            }));
  }

  /** Converts a value to a type with checked sizes, as {@link #coerce(Value, Ty)} does. */
  LoweredValue coerce(LoweredValue v, Sized sized) {
    return coerce(v, sized.type, sized.certs);
  }

  private LoweredValue coerce(LoweredValue v, Ty target, List<futharkc.core.ir.Name> certs) {
    return switch (v) {
      case LoweredValue.Closure c -> v;
      case LoweredValue.Variant x -> v;
      case LoweredValue.Rec r -> {
        TreeMap<String, LoweredValue> fields = new TreeMap<>(Type.FIELD_ORDER);
        Ty.Record types = (Ty.Record) target;
        r.fields().forEach((k, x) -> fields.put(k, coerce(x, types.field(k), certs)));
        yield new LoweredValue.Rec(fields);
      }
      case LoweredValue.Data d -> {
        if (d.type() instanceof Ty.Prim || d.type() instanceof Ty.Acc || d.type().equals(target)) {
          yield v;
        }
        Ty known = fill(target, d.type());
        yield d.type().equals(known) ? v : new LoweredValue.Data(known, reshape(d, known, certs));
      }
    };
  }

  private List<SubExp> reshape(LoweredValue.Data d, Ty target, List<futharkc.core.ir.Name> certs) {
    List<futharkc.core.ir.Type> from = d.type().leaves();
    List<futharkc.core.ir.Type> to = target.leaves();
    List<SubExp> leaves = new ArrayList<>();
    for (int i = 0; i < from.size(); i++) {
      SubExp leaf = d.leaves().get(i);
      leaves.add(
          from.get(i).equals(to.get(i))
              ? leaf
              : SubExp.of(
                  emit.let(
                      "coerced",
                      to.get(i),
                      new BasicOp.Reshape(true, name(leaf), to.get(i).dims()),
                      certs)));
    }
    return leaves;
  }

  /** Replaces the unknown sizes of a type by the sizes of a value's type. */
  static Ty fill(Ty t, Ty actual) {
    if (!hasUnknown(t)) {
      return t;
    }
    List<SubExp> sizes = new ArrayList<>();
    t.zipSizes(actual, (a, b) -> sizes.add(a.equals(Ty.UNKNOWN) ? b : a));
    var next = sizes.iterator();
    return t.mapSizes(s -> next.next());
  }

  static boolean hasUnknown(Ty t) {
    boolean[] found = {false};
    t.zipSizes(t, (a, b) -> found[0] |= a.equals(Ty.UNKNOWN));
    return found[0];
  }

  /** Returns the variable of an array operand. */
  static futharkc.core.ir.Name name(SubExp array) {
    if (array instanceof SubExp.Var v) {
      return v.name();
    }
    throw new IllegalStateException("constant where an array must be: " + array);
  }

  /** Emits a zero, or an array of zeros or unspecified elements, under certificates. */
  SubExp blank(futharkc.core.ir.Type t, boolean scratch, List<futharkc.core.ir.Name> certs) {
    SubExp zero = SubExp.of(futharkc.core.ir.PrimValue.zero(t.elemPrim()));
    if (t.rank() == 0) {
      return certs.isEmpty()
          ? zero
          : SubExp.of(emit.let("blank", t, new BasicOp.SubExpOp(zero), certs));
    }
    BasicOp e =
        scratch
            ? new BasicOp.Scratch(t.elemPrim(), t.dims())
            : new BasicOp.Replicate(t.dims(), zero);
    return SubExp.of(emit.let("blank", t, e, certs));
  }
}
