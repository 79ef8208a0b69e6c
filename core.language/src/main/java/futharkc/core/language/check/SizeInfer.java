package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.check.SizeSolver.Usage;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The second pass over a definition: knows the structure of all types, infers their sizes, and makes the checked tree.
 * Throws at the first error.
 */
final class SizeInfer {
  final Context cx;
  final SizeSolver sizes;
  private final LoopSizes loops;

  SizeInfer(Context cx) {
    this.cx = cx;
    sizes = new SizeSolver(cx.names);
    loops = new LoopSizes(this);
  }

  // Small things

  static DiagnosticException error(String code, Loc loc, String message) {
    return new DiagnosticException(code, loc, message);
  }

  void warn(String code, Loc loc, String message) {
    cx.report(Diagnostic.warning(code, loc, message));
  }

  static Type plain(Type t) {
    return Subst.unique(t, false);
  }

  Type norm(Type t) {
    return sizes.norm(t);
  }

  private static Type pruned(Type t) {
    return TypeVar.prune(t);
  }

  static Usage usage(Loc loc, String why, Supplier<String> header) {
    return new Usage(loc, why, header);
  }

  private static String differ(String what, Type expected, Type actual) {
    return what
        + "\nExpected: "
        + TypePrinter.show(expected)
        + "\nActual:   "
        + TypePrinter.show(actual);
  }

  void unify(Loc loc, String why, String what, Type expected, Type actual) {
    sizes.unify(
        usage(loc, why, () -> differ(what, norm(expected), norm(actual))), expected, actual);
  }

  /** A type from the first pass with sizes to be found that cannot be existential. */
  private Type fresh(Type t, Loc loc) {
    return sizes.instanceSizes(t, Liftedness.UNLIFTED, loc, "");
  }

  /** A type from the first pass with sizes to be found, which the context may make existential. */
  private Type absorbing(Type t, Loc loc) {
    return sizes.instanceSizes(t, Liftedness.LIFTED, loc, "");
  }

  void bind(LocalVar v, Type type) {
    v.sized = Scheme.of(plain(type));
    sizes.param(v.name, v.loc);
  }

  void bindSize(LocalVar v) {
    bind(v, SizeExps.I64);
  }

  // Types as written

  /** The type, its anonymous sizes to be found. */
  Type typeTerm(Term.TypeTerm t) {
    for (Name n : t.anonymous()) {
      sizes.flexible(n, t.loc(), "anonymous size in type expression");
    }
    return expressions(t);
  }

  /** The type with its size expressions put in, anonymous sizes left as they are. */
  Type expressions(Term.TypeTerm t) {
    if (t.sizes().isEmpty()) return norm(t.type());
    for (LocalVar v : t.bound()) v.sized = Scheme.of(plain(norm(v.type)));
    Subst s = new Subst(cx.names);
    for (Map.Entry<Name, Term> e : t.sizes().entrySet()) {
      Exp x = exp(e.getValue());
      if (SizeExps.hasBinding(x)) {
        throw new DiagnosticException(
            Diagnostic.error("E0505", x.loc(), "Size expression with binding is forbidden.")
                .see("size-expression-bind"));
      }
      s.size(e.getKey(), SizeExps.size(x));
    }
    return norm(s.type(t.type()));
  }

  // Unknown sizes

  Unscope.Result unscope(Type t, Set<Name> gone, Loc loc) {
    if (gone.isEmpty()) return new Unscope.Result(t, List.of());
    Set<Name> free = Positions.free(t);
    boolean any = false;
    for (Name n : free) if (gone.contains(n)) any = true;
    if (!any) return new Unscope.Result(t, List.of());
    return Unscope.apply(
        t,
        s -> mentions(s, gone) != null,
        s -> {
          Name n = mentions(s, gone);
          return sizes.unknown(
              "d",
              loc,
              "is an unknown size arising from \""
                  + (n == null ? "?" : n.base())
                  + "\" going out of scope at "
                  + loc
                  + ".");
        });
  }

  private static @Nullable Name mentions(Type.Size s, Set<Name> names) {
    if (s instanceof Type.Size.Const) return null;
    Set<Name> free = new LinkedHashSet<>();
    SizeExps.names(s, free);
    for (Name n : free) if (names.contains(n)) return n;
    return null;
  }

  // Expressions

  Exp exp(Term t) {
    return switch (t) {
      case Term.Int i -> literal(i.value(), prim(i.type()), i.loc());
      case Term.Float f -> floatLiteral(f.text(), prim(f.type()), f.loc());
      case Term.Bool b -> new Exp.Lit(PrimType.BOOL, b.value() ? 1 : 0, b.loc());
      case Term.Str s ->
          new Exp.StringLit(
              s.bytes(),
              new Type.Array(
                  false, new Type.Size.Const(s.bytes().length), Type.prim(PrimType.U8)),
              s.loc());
      case Term.Local l -> local(l);
      case Term.Global g ->
          instantiate(
              g.value().name(), g.value().scheme(), g.typeArgs(), g.value().name().base(), g.loc());
      case Term.Hole h -> new Exp.Hole(absorbing(h.type(), h.loc()), h.loc());
      case Term.Record r -> {
        TreeMap<String, Exp> fields = new TreeMap<>(Type.FIELD_ORDER);
        Map<String, Type> types = new HashMap<>();
        for (Map.Entry<String, Term> f : r.fields().entrySet()) {
          Exp e = exp(f.getValue());
          fields.put(f.getKey(), e);
          types.put(f.getKey(), e.type());
        }
        yield new Exp.Record(
            fields,
            List.copyOf(r.fields().keySet()),
            new Type.Record(Type.sorted(types)),
            r.loc());
      }
      case Term.ArrayLit a -> arrayLit(a);
      case Term.Project p -> {
        Exp e = exp(p.exp());
        Type.Record r = (Type.Record) norm(e.type());
        yield new Exp.Project(e, p.field(), r.fields().get(p.field()), p.loc());
      }
      case Term.Apply a -> apply(a);
      case Term.Constr c -> {
        Type type = absorbing(c.type(), c.loc());
        List<Exp> args = new ArrayList<>();
        List<Type> payload = ((Type.Sum) type).variants().get(c.name());
        for (int i = 0; i < c.args().size(); i++) {
          Exp e = exp(c.args().get(i));
          args.add(e);
          unify(
              e.loc(),
              "inferred variant",
              "Payload of constructor #" + c.name() + " does not have expected type.",
              payload.get(i),
              e.type());
        }
        yield new Exp.Constr(c.name(), args, norm(type), c.loc());
      }
      case Term.BinOp b -> binOp(b);
      case Term.UnOp u -> {
        if (u.op() == Exp.Un.NEGATE && u.exp() instanceof Term.Int i) {
          yield literal(i.value().negate(), prim(i.type()), u.loc());
        }
        if (u.op() == Exp.Un.NEGATE && u.exp() instanceof Term.Float f) {
          yield floatLiteral("-" + f.text(), prim(f.type()), u.loc());
        }
        Exp e = exp(u.exp());
        yield new Exp.UnOp(u.op(), e, e.type(), u.loc());
      }
      case Term.And a -> new Exp.And(exp(a.left()), exp(a.right()), a.loc());
      case Term.Or o -> new Exp.Or(exp(o.left()), exp(o.right()), o.loc());
      case Term.Ascript a -> {
        Type as = typeTerm(a.as());
        Exp e = exp(a.exp());
        unify(
            a.exp().loc(),
            "explicit type ascription",
            "Expression does not have expected type from explicit ascription.",
            as,
            norm(e.type()));
        yield e;
      }
      case Term.Coerce c -> coerce(c);
      case Term.Range r -> range(r);
      case Term.Index i -> {
        List<Exp.Dim> dims = dims(i.dims());
        Exp array = exp(i.array());
        List<Name> made = new ArrayList<>();
        Type type = slice(norm(array.type()), dims, i.loc(), true, made);
        yield new Exp.Index(array, dims, made, type, i.loc());
      }
      case Term.With w -> with(w);
      case Term.Let l -> let(l);
      case Term.If i -> {
        Exp cond = exp(i.cond());
        Exp then = exp(i.then());
        Exp otherwise = exp(i.otherwise());
        SizeSolver.Common c = branches(then.type(), otherwise.type(), i.loc());
        yield new Exp.If(cond, then, otherwise, c.sizes(), c.type(), i.loc());
      }
      case Term.Match m -> match(m);
      case Term.Loop l -> loops.loop(l);
      case Term.Lambda l -> lambda(l);
      case Term.Assert a -> new Exp.Assert(exp(a.cond()), a.text(), exp(a.exp()), a.loc());
      case Term.Attributed a -> new Exp.Attributed(a.attr(), exp(a.exp()), a.loc());
    };
  }

  private static PrimType prim(Type t) {
    return ((Type.Prim) pruned(t)).type();
  }

  private static DiagnosticException outOfBounds(String value, PrimType type, Loc loc) {
    return new DiagnosticException(
        Diagnostic.error(
                "E0406", loc, "Literal " + value + " out of bounds for inferred type " + type + ".")
            .see("literal-out-of-bounds"));
  }

  static Exp.Lit literal(BigInteger value, PrimType type, Loc loc) {
    if (type.isFloat()) return floatLiteral(value.toString(), type, loc);
    BigInteger low =
        type.isUnsigned() ? BigInteger.ZERO : BigInteger.ONE.shiftLeft(type.bits() - 1).negate();
    BigInteger high =
        BigInteger.ONE.shiftLeft(type.isUnsigned() ? type.bits() : type.bits() - 1);
    if (value.compareTo(low) < 0 || value.compareTo(high) >= 0) {
      throw outOfBounds(value.toString(), type, loc);
    }
    return new Exp.Lit(type, value.longValue(), loc);
  }

  private static Exp.Lit floatLiteral(String text, PrimType type, Loc loc) {
    double d =
        switch (type) {
          case F16 -> Float.float16ToFloat(Float.floatToFloat16(Float.parseFloat(text)));
          case F32 -> Float.parseFloat(text);
          default -> Double.parseDouble(text);
        };
    if (Double.isInfinite(d)) throw outOfBounds(text, type, loc);
    return new Exp.Lit(type, Double.doubleToRawLongBits(d), loc);
  }

  // Variables

  private Exp local(Term.Local l) {
    LocalVar v = l.var();
    if (v.self && v.sized == null) {
      return new Exp.Var(v.name, List.of(), List.of(), fresh(l.type(), l.loc()), l.loc());
    }
    Scheme s = v.sized;
    if (s == null) throw new IllegalStateException("variable without type: " + v);
    if (s.isMonomorphic()) {
      return new Exp.Var(v.name, List.of(), List.of(), s.type(), l.loc());
    }
    return instantiate(v.name, s, l.typeArgs(), v.name.base(), l.loc());
  }

  private Exp instantiate(Name name, Scheme s, List<Type> typeArgs, String what, Loc loc) {
    if (s.isMonomorphic()) {
      return new Exp.Var(name, List.of(), List.of(), plain(s.type()), loc);
    }
    Map<Name, Type.Size> sizeArgs = new HashMap<>();
    List<Type.Size> sizeList = new ArrayList<>(s.sizes().size());
    for (Name n : s.sizes()) {
      Name i =
          sizes.instance(
              n.base(),
              Liftedness.LIFTED,
              loc,
              "instantiated size parameter of \"" + what + "\"");
      sizeArgs.put(n, SizeSolver.ref(i));
      sizeList.add(SizeSolver.ref(i));
    }
    Map<Name, Integer> params = new HashMap<>();
    for (int i = 0; i < s.types().size() && i < typeArgs.size(); i++) {
      params.put(s.types().get(i).name(), i);
    }
    Type[] args = new Type[typeArgs.size()];
    Type type =
        new Mapper() {
          @Override
          Type.Size sizeVar(Type.Size.Var v) {
            return sizeArgs.getOrDefault(v.name(), v);
          }

          @Override
          Exp var(Exp.Var v) {
            Type.Size size = sizeArgs.get(v.name());
            return size == null ? v : SizeExps.exp(size, v.loc());
          }

          @Override
          Type named(Type.Named n) {
            Integer p = params.get(n.name());
            if (p == null) return n;
            Type t = args[p];
            Liftedness l = s.types().get(p).liftedness();
            if (t == null) {
              t = sizes.instanceSizes(typeArgs.get(p), l, loc, "");
              args[p] = t;
            } else if (l != Liftedness.UNLIFTED) {
              t = sizes.copySizes(t, loc);
            }
            return n.unique() ? Subst.unique(t, true) : t;
          }

          @Override
          Type type(Type t) {
            if (!(t instanceof Type.Fun f) || f.param() == null && f.result().sizes().isEmpty()) {
              return super.type(t);
            }
            Type from = type(f.from());
            Name param = null;
            if (f.param() != null) {
              param = cx.names.fresh(f.param().base());
              sizeArgs.put(f.param(), SizeSolver.ref(param));
            }
            List<Name> result = new ArrayList<>();
            for (Name n : f.result().sizes()) {
              Name fresh = cx.names.fresh(n.base());
              sizeArgs.put(n, SizeSolver.ref(fresh));
              result.add(fresh);
            }
            return new Type.Fun(param, from, new Type.Result(result, type(f.result().type())));
          }
        }.type(s.type());
    List<Type> typeList = new ArrayList<>(args.length);
    for (int i = 0; i < args.length; i++) {
      typeList.add(args[i] != null ? args[i] : absorbing(typeArgs.get(i), loc));
    }
    return new Exp.Var(name, sizeList, typeList, plain(type), loc);
  }

  // Arrays

  private Exp arrayLit(Term.ArrayLit a) {
    if (a.elems().isEmpty()) {
      Type elem = fresh(((Type.Array) pruned(a.type())).elem(), a.loc());
      return new Exp.ArrayLit(
          List.of(), new Type.Array(false, new Type.Size.Const(0), elem), a.loc());
    }
    List<Exp> elems = new ArrayList<>(a.elems().size());
    Type elem = null;
    for (Term x : a.elems()) {
      Exp e = exp(x);
      elems.add(e);
      if (elem == null) elem = e.type();
      else if (!(elem instanceof Type.Prim)) {
        unify(
            e.loc(),
            "type of first array element",
            "Array element differs in type from the first one.",
            elem,
            e.type());
      }
    }
    return new Exp.ArrayLit(
        elems, new Type.Array(false, new Type.Size.Const(elems.size()), elem), a.loc());
  }

  private @Nullable Exp opt(@Nullable Term t) {
    return t == null ? null : exp(t);
  }

  private List<Exp.Dim> dims(List<Term.Dim> dims) {
    List<Exp.Dim> result = new ArrayList<>(dims.size());
    for (Term.Dim d : dims) {
      result.add(
          switch (d) {
            case Term.Dim.Fix f -> new Exp.Dim.Fix(exp(f.index()));
            case Term.Dim.Slice s ->
                new Exp.Dim.Slice(opt(s.start()), opt(s.end()), opt(s.stride()));
          });
    }
    return result;
  }

  private static boolean is(@Nullable Exp e, long value) {
    return e == null || SizeExps.size(e) instanceof Type.Size.Const c && c.value() == value;
  }

  /**
   * The type of a slice of an array of that type.
   *
   * @param exact whether sizes are computed from the bounds; else they are to be found
   * @param made receives the unknown sizes
   */
  private Type slice(Type t, List<Exp.Dim> dims, Loc loc, boolean exact, List<Name> made) {
    return slice(t, dims, 0, loc, exact, made);
  }

  private Type slice(
      Type t, List<Exp.Dim> dims, int i, Loc loc, boolean exact, List<Name> made) {
    if (i == dims.size()) return t;
    Type.Array a = (Type.Array) t;
    return switch (dims.get(i)) {
      case Exp.Dim.Fix f -> slice(a.elem(), dims, i + 1, loc, exact, made);
      case Exp.Dim.Slice s -> {
        Type.Size size = sliceSize(a.size(), s, loc, exact, made);
        yield new Type.Array(false, size, slice(a.elem(), dims, i + 1, loc, exact, made));
      }
    };
  }

  private Type.Size sliceSize(
      Type.Size whole, Exp.Dim.Slice s, Loc loc, boolean exact, List<Name> made) {
    if (!exact) return SizeSolver.ref(sizes.flexible("slice", loc, "size of slice"));
    Exp start = s.start();
    Exp end = s.end();
    boolean up = is(s.stride(), 1);
    boolean down = s.stride() != null && is(s.stride(), -1);
    if (up && is(start, 0)) {
      return sized(end == null ? whole : SizeExps.size(end), s, loc, made);
    }
    if (up && start != null) {
      Type.Size to = end == null ? whole : SizeExps.size(end);
      return sized(SizeExps.minus(to, SizeExps.size(start), loc), s, loc, made);
    }
    if (down && start == null && end == null) return whole;
    if (down && start != null && end != null) {
      return sized(SizeExps.minus(SizeExps.size(start), SizeExps.size(end), loc), s, loc, made);
    }
    Name n = sizes.unknown("n", loc, "is size produced by slice at " + loc + ".");
    made.add(n);
    return SizeSolver.ref(n);
  }

  private Type.Size sized(Type.Size size, Exp.Dim.Slice s, Loc loc, List<Name> made) {
    if (s.start() != null && SizeExps.hasBinding(s.start())
        || s.end() != null && SizeExps.hasBinding(s.end())) {
      warnBinding(loc);
      Name n = sizes.unknown("n", loc, "is size produced by slice at " + loc + ".");
      made.add(n);
      return SizeSolver.ref(n);
    }
    return size;
  }

  private void warnBinding(Loc loc) {
    cx.report(
        Diagnostic.warning(
                "W0501", loc, "Size expression with binding is replaced by unknown size.")
            .see("size-expression-bind"));
  }

  private Exp range(Term.Range r) {
    Exp start = exp(r.start());
    Exp second = opt(r.second());
    Exp end = exp(r.end());
    if (second != null && SizeExps.same(SizeExps.size(start), SizeExps.size(second))) {
      warn(
          "W0402",
          r.loc(),
          "First and second element of range are identical, this will produce an empty array.");
    }
    List<Name> made = new ArrayList<>();
    Type.Size size = null;
    boolean bindings = SizeExps.hasBinding(start) || SizeExps.hasBinding(end);
    if (prim(r.start().type()) == PrimType.I64) {
      Type.Size a = SizeExps.size(start);
      Type.Size b = SizeExps.size(end);
      boolean fromZero = a instanceof Type.Size.Const c && c.value() == 0;
      boolean fromOne = a instanceof Type.Size.Const c && c.value() == 1;
      switch (r.kind()) {
        case UP_TO -> {
          if (second == null) size = fromZero ? b : SizeExps.minus(b, a, r.loc());
          else if (fromZero && is(second, 1)) size = b;
        }
        case INCLUSIVE -> {
          if (second == null) {
            size = SizeExps.plus(SizeExps.minus(b, a, r.loc()), new Type.Size.Const(1), r.loc());
          } else if (fromOne && is(second, 2)) {
            size = b;
          }
        }
        case DOWN_TO -> {}
      }
    }
    if (size != null && bindings) warnBinding(r.loc());
    if (size == null || bindings) {
      Name n = sizes.unknown("range", r.loc(), "is unknown length of range at " + r.loc() + ".");
      made.add(n);
      size = SizeSolver.ref(n);
    }
    return new Exp.Range(
        start, second, r.kind(), end, made, new Type.Array(false, size, start.type()), r.loc());
  }

  private Exp with(Term.With w) {
    Exp src = exp(w.src());
    Exp value = exp(w.value());
    Type whole = norm(src.type());
    List<Exp.Access> path = new ArrayList<>();
    boolean fieldsOnly = true;
    for (Term.Access a : w.path()) {
      switch (a) {
        case Term.Access.Field f -> path.add(new Exp.Access.Field(f.name()));
        case Term.Access.Elem e -> {
          fieldsOnly = false;
          path.add(new Exp.Access.Elem(dims(e.dims())));
        }
      }
    }
    if (fieldsOnly) {
      return new Exp.With(
          src, path, value, updateField(whole, path, 0, value.type(), w.value().loc()), w.loc());
    }
    Type target = whole;
    for (Exp.Access a : path) {
      target =
          switch (a) {
            case Exp.Access.Field f -> ((Type.Record) norm(target)).fields().get(f.name());
            case Exp.Access.Elem e -> slice(norm(target), e.dims(), w.loc(), false, new ArrayList<>());
          };
    }
    unify(
        w.value().loc(), "type of update target", "Type mismatch when updating array.", target, value.type());
    return new Exp.With(src, path, value, whole, w.loc());
  }

  private Type updateField(Type t, List<Exp.Access> path, int i, Type value, Loc loc) {
    if (i == path.size()) {
      unify(
          loc,
          "record update",
          "Type mismatch when updating record field.",
          sizes.freshSizes(t, () -> sizes.flexible("any", loc, "record update"), loc),
          value);
      return value;
    }
    Type.Record r = (Type.Record) norm(t);
    String name = ((Exp.Access.Field) path.get(i)).name();
    Map<String, Type> fields = new HashMap<>(r.fields());
    fields.put(name, updateField(r.fields().get(name), path, i + 1, value, loc));
    return new Type.Record(Type.sorted(fields));
  }

  private Exp coerce(Term.Coerce c) {
    Type to = typeTerm(c.to());
    Exp e = exp(c.exp());
    Set<Name> anonymous = new HashSet<>(c.to().anonymous());
    Type from =
        new Mapper() {
          @Override
          Type.Size size(Type.Size s) {
            return s instanceof Type.Size.Var v && anonymous.contains(v.name())
                ? s
                : SizeSolver.ref(
                    sizes.flexible(
                        "coerce",
                        c.loc(),
                        "a size coercion where the underlying expression size cannot be determined"));
          }
        }.type(to);
    unify(
        c.exp().loc(),
        "size coercion",
        "Expression does not have expected type from size coercion.",
        norm(e.type()),
        from);
    return new Exp.Coerce(e, plain(norm(to)), c.text(), c.loc());
  }

  // Operators and application

  private Exp binOp(Term.BinOp b) {
    // A chain of operators leans to the left, and may be long.
    List<Term.BinOp> chain = new ArrayList<>();
    Term leftmost = b;
    while (leftmost instanceof Term.BinOp c) {
      chain.add(c);
      leftmost = c.left();
    }
    Exp e = exp(leftmost);
    for (int i = chain.size() - 1; i >= 0; i--) {
      Term.BinOp c = chain.get(i);
      Exp left = e;
      Exp right = exp(c.right());
      Type operands = left.type();
      if (!(operands instanceof Type.Prim)) {
        unify(
            c.right().loc(),
            "use as operand of " + c.op().text,
            "Operands of " + c.op().text + " differ in type.",
            operands,
            right.type());
      }
      e =
          new Exp.BinOp(
              c.op(),
              left,
              right,
              operands,
              Operators.isComparison(c.op()) ? Type.prim(PrimType.BOOL) : operands,
              c.loc());
    }
    return e;
  }

  private Exp apply(Term.Apply a) {
    Exp f = exp(a.fun());
    List<Exp> args = new ArrayList<>(a.args().size());
    for (Term x : a.args()) args.add(exp(x));
    List<Name> made = new ArrayList<>();
    Type t = f.type();
    for (int i = 0; i < args.size(); i++) t = applyOne(t, a, i, args.get(i), made);
    Type result = plain(norm(t));
    return new Exp.Apply(f, args, made, result, a.loc());
  }

  private Type applyOne(Type fun, Term.Apply a, int i, Exp arg, List<Name> made) {
    Type.Fun f = (Type.Fun) norm(fun);
    String what = a.name() == null ? "function" : "\"" + a.name() + "\"";
    Loc loc = a.loc();
    sizes.unify(
        usage(
            arg.loc(),
            "use as function argument",
            () ->
                "Cannot apply "
                    + what
                    + " to \""
                    + Show.brief(a.written().get(i))
                    + "\" (invalid type).\nExpected: "
                    + TypePrinter.show(norm(f.from()))
                    + "\nActual:   "
                    + TypePrinter.show(norm(arg.type()))),
        f.from(),
        arg.type());
    List<Name> here = new ArrayList<>();
    Type result = norm(f.result().type());
    if (!f.result().sizes().isEmpty()) {
      Subst s = new Subst(cx.names);
      for (Name n : f.result().sizes()) {
        Name u =
            sizes.unknown(
                n.base(), loc, "is unknown size returned by " + what + " at " + loc + ".");
        here.add(u);
        s.size(n, SizeSolver.ref(u));
      }
      result = s.type(result);
    }
    Unscope.Result bound = bindPending(result, loc);
    here.addAll(bound.sizes());
    result = bound.type();
    checkParamSizes(result, here, norm(arg.type()), a, i);

    if (f.param() != null && Positions.free(result).contains(f.param())) {
      Type.Size by;
      if (SizeExps.hasBinding(arg)) {
        warnBinding(arg.loc());
        Name n =
            sizes.unknown(
                "n",
                arg.loc(),
                "is value of argument\n  "
                    + Show.brief(a.written().get(i))
                    + "\npassed to "
                    + what
                    + " at "
                    + arg.loc()
                    + ".");
        here.add(n);
        by = SizeSolver.ref(n);
      } else {
        by = SizeExps.size(arg);
      }
      result = new Subst(cx.names).size(f.param(), by).type(result);
    }
    made.addAll(here);
    return result;
  }

  /** Binds sizes that turned out to be existential: in function results, or else as unknown sizes of their own. */
  Unscope.Result bindPending(Type t, Loc loc) {
    Set<Name> pending = new HashSet<>();
    for (Name n : Positions.free(t)) if (sizes.isPending(n)) pending.add(n);
    if (pending.isEmpty()) return new Unscope.Result(t, List.of());
    Type merged = sizes.representatives(pending).type(t);
    return Unscope.apply(
        merged,
        s -> mentions(s, pending) != null,
        s -> sizes.unknown("d", loc, "is unknown size returned by function at " + loc + "."));
  }

  private void checkParamSizes(
      Type result, List<Name> made, Type arg, Term.Apply a, int i) {
    Set<Name> problematic = new HashSet<>(made);
    boundInside(arg, problematic);
    if (problematic.isEmpty()) return;
    Set<Name> produced = new HashSet<>();
    Set<Name> params = new HashSet<>();
    uses(result, produced, params);
    params.removeAll(produced);
    for (Name n : params) {
      if (problematic.contains(n)) {
        throw new DiagnosticException(
            Diagnostic.error(
                    "E0506",
                    a.loc(),
                    "Cannot apply "
                        + (a.name() == null ? "function" : "\"" + a.name() + "\"")
                        + " to \""
                        + Show.brief(a.written().get(i))
                        + "\" (invalid type).\n\nExistential size would appear in function parameter of return type:\n  "
                        + TypePrinter.show(new Type.Result(made, result))
                        + "\nThis is because a higher-order function is used with functional arguments that"
                        + " return existential sizes or locally named sizes, which are then used as parameters"
                        + " of other function arguments.")
                .see("existential-param-ret"));
      }
    }
  }

  /** The names that occur in the sizes of the value itself, and those in parameters of functions. */
  static void uses(Type t, Set<Name> produced, Set<Name> params) {
    Positions.visit(
        t,
        (pos, size, bound) -> {
          if (pos == Positions.Position.RETURN) return;
          Set<Name> free = new HashSet<>();
          SizeExps.names(size, free);
          free.removeAll(bound);
          (pos == Positions.Position.IMMEDIATE ? produced : params).addAll(free);
        });
  }

  private static void boundInside(Type t, Set<Name> into) {
    switch (t) {
      case Type.Fun f -> {
        if (f.param() != null) into.add(f.param());
        into.addAll(f.result().sizes());
        boundInside(f.from(), into);
        boundInside(f.result().type(), into);
      }
      case Type.Record r -> r.fields().values().forEach(x -> boundInside(x, into));
      case Type.Sum s -> s.variants().values().forEach(ps -> ps.forEach(x -> boundInside(x, into)));
      case Type.Array a -> boundInside(a.elem(), into);
      case Type.Named n -> {
        for (Type.Arg a : n.args()) {
          if (a instanceof Type.Arg.OfType o) boundInside(o.type(), into);
        }
      }
      case Type.Prim p -> {}
      case futharkc.core.language.typed.MetaType m -> {}
    }
  }

  SizeSolver.Common branches(Type a, Type b, Loc loc) {
    if (a instanceof Type.Prim) return new SizeSolver.Common(a, List.of());
    return sizes.common(
        usage(
            loc,
            "unification of branch results",
            () ->
                "Branches differ in type.\nFormer: "
                    + TypePrinter.show(norm(a))
                    + "\nLatter: "
                    + TypePrinter.show(norm(b))),
        a,
        b);
  }

  private Exp match(Term.Match m) {
    Exp scrutinee = exp(m.exp());
    List<Exp.Case> cases = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    List<Name> lost = new ArrayList<>();
    for (Term.Case c : m.cases()) {
      sizes.level++;
      Set<Name> names = new LinkedHashSet<>();
      Pat p = pat(c.pat(), norm(scrutinee.type()), Map.of(), names);
      Exp body = exp(c.body());
      sizes.level--;
      Unscope.Result u = unscope(norm(body.type()), names, c.loc());
      lost.addAll(u.sizes());
      cases.add(new Exp.Case(p, body, c.loc()));
      types.add(u.type());
    }
    Type result = types.get(types.size() - 1);
    Set<Name> made = new LinkedHashSet<>(lost);
    for (int i = types.size() - 2; i >= 0; i--) {
      SizeSolver.Common c = branches(types.get(i), result, cases.get(i).loc());
      made.addAll(c.sizes());
      result = c.type();
    }
    made.retainAll(Positions.free(result));
    return new Exp.Match(scrutinee, cases, List.copyOf(made), result, m.loc());
  }

  // Bindings

  private Exp let(Term.Let l) {
    int outer = sizes.level;
    List<Exp.Binding> bindings = new ArrayList<>(l.bindings().size());
    List<Object> scopes = new ArrayList<>(l.bindings().size());
    for (Term.Binding b : l.bindings()) {
      switch (b) {
        case Term.Binding.OfPat p -> {
          Exp value = exp(p.value());
          Type t = norm(value.type());
          sizes.level++;
          Set<Name> names = new LinkedHashSet<>();
          Map<Name, Name> binders = sizeBinders(p.sizes(), names);
          Pat pat = pat(p.pat(), t, binders, names);
          checkBinders(p.sizes(), pat);
          List<Name> sizeNames = p.sizes().stream().map(v -> v.name).toList();
          bindings.add(new Exp.Binding.OfPat(sizeNames, pat, value, p.loc()));
          if (t instanceof Type.Prim q
              && q.type() == PrimType.I64
              && names.size() == 1
              && !SizeExps.hasBinding(value)) {
            scopes.add(
                new Subst(cx.names).size(names.iterator().next(), SizeExps.size(value)));
          } else {
            scopes.add(names);
          }
        }
        case Term.Binding.OfFun f -> {
          ValDef d = function(f.fun(), List.of(), null, false);
          f.var().sized =
              new Scheme(d.sizeParams(), f.fun().typeParams(), renamed(d.type()));
          sizes.level++;
          sizes.param(f.var().name, f.var().loc);
          bindings.add(new Exp.Binding.OfFun(d));
          scopes.add(Set.of(f.var().name));
        }
      }
    }
    Exp body = exp(l.body());
    sizes.level = outer;
    Type t = norm(body.type());
    List<Name> made = new ArrayList<>();
    for (int i = scopes.size() - 1; i >= 0; i--) {
      switch (scopes.get(i)) {
        case Subst s -> t = s.type(t);
        case Set<?> names -> {
          @SuppressWarnings("unchecked")
          Unscope.Result u = unscope(t, (Set<Name>) names, l.bindings().get(i).loc());
          t = u.type();
          made.addAll(u.sizes());
        }
        default -> throw new IllegalStateException();
      }
    }
    made.retainAll(Positions.free(t));
    return new Exp.Let(bindings, body, made, t, l.loc());
  }

  /** Binds the names of {@code let [n]}, and returns sizes to be found that stand for them in the bound value's type. */
  Map<Name, Name> sizeBinders(List<LocalVar> binders, Set<Name> names) {
    if (binders.isEmpty()) return Map.of();
    Map<Name, Name> result = new LinkedHashMap<>();
    for (LocalVar v : binders) {
      bindSize(v);
      names.add(v.name);
      result.put(
          v.name, sizes.flexible(v.name.base(), v.loc, "ambiguous size of bound expression"));
    }
    return result;
  }

  void checkBinders(List<LocalVar> binders, Pat pat) {
    if (binders.isEmpty()) return;
    Set<Name> free = Positions.free(pat.type());
    Set<Name> witnessed = new HashSet<>();
    Positions.witnesses(pat.type(), witnessed);
    for (LocalVar v : binders) {
      if (!free.contains(v.name)) throw unusedSize(v.name, v.loc);
      if (!witnessed.contains(v.name)) {
        throw error(
            "E0507",
            v.loc,
            "Cannot bind ["
                + v.name.base()
                + "] as it is never used as the size of a concrete (non-function) value.");
      }
    }
  }

  private static DiagnosticException unusedSize(Name n, Loc loc) {
    return new DiagnosticException(
        Diagnostic.error("E0508", loc, "Size [" + n.base() + "] unused.").see("unused-size"));
  }

  // Patterns

  /**
   * A pattern for a value of a type.
   *
   * @param known the type, or null if it is to be taken from the pattern
   * @param binders what stands for size binders in the value's type
   * @param names receives the names that are bound
   */
  Pat pat(Term.TPat p, @Nullable Type known, Map<Name, Name> binders, Set<Name> names) {
    return switch (p) {
      case Term.TPat.Var v -> {
        Type t = known != null ? known : fresh(v.type(), v.loc());
        bind(v.var(), t);
        names.add(v.var().name);
        yield new Pat.Var(v.var().name, t, v.loc());
      }
      case Term.TPat.Wildcard w ->
          new Pat.Wildcard(known != null ? known : fresh(w.type(), w.loc()), w.loc());
      case Term.TPat.Record r -> {
        Type.Record t = known == null ? null : (Type.Record) norm(known);
        TreeMap<String, Pat> fields = new TreeMap<>(Type.FIELD_ORDER);
        Map<String, Type> types = new HashMap<>();
        for (Map.Entry<String, Term.TPat> f : r.fields().entrySet()) {
          Pat q =
              pat(f.getValue(), t == null ? null : t.fields().get(f.getKey()), binders, names);
          fields.put(f.getKey(), q);
          types.put(f.getKey(), q.type());
        }
        yield new Pat.Record(fields, new Type.Record(Type.sorted(types)), r.loc());
      }
      case Term.TPat.Literal l -> {
        Exp e = exp(l.literal());
        yield new Pat.Literal((Exp.Lit) e, l.loc());
      }
      case Term.TPat.Constr c -> {
        Type t = known != null ? norm(known) : fresh(c.type(), c.loc());
        List<Type> payload = ((Type.Sum) t).variants().get(c.name());
        List<Pat> pats = new ArrayList<>();
        for (int i = 0; i < c.payload().size(); i++) {
          pats.add(pat(c.payload().get(i), payload.get(i), binders, names));
        }
        yield new Pat.Constr(c.name(), pats, t, c.loc());
      }
      case Term.TPat.Ascript a -> {
        Type t = typeTerm(a.as());
        if (known != null) {
          Subst s = new Subst(cx.names);
          binders.forEach((n, m) -> s.size(n, SizeSolver.ref(m)));
          unify(
              a.loc(),
              "explicit type ascription",
              "Pattern cannot match value, going by its explicit ascription.",
              s.isEmpty() ? t : s.type(t),
              known);
        }
        yield pat(a.pat(), t, binders, names);
      }
    };
  }

  // Functions

  /** The names that a parameter binds but is not itself called by. */
  private static void hidden(Pat p, Set<Name> names) {
    if (p instanceof Pat.Var v) names.remove(v.name());
  }

  /** What a parameter is called in the function's type. */
  static @Nullable Name paramName(Pat p) {
    return p instanceof Pat.Var v ? v.name() : null;
  }

  private record Body(Exp exp, Type type) {}

  private Body body(
      List<Pat> params, Set<Name> hidden, Term term, Term.@Nullable TypeTerm as, @Nullable Type declared) {
    Exp e = exp(term);
    Type t = unscope(norm(e.type()), hidden, term.loc()).type();
    if (declared != null && as != null) {
      for (Name n : Positions.free(declared)) {
        if (hidden.contains(n)) {
          throw error(
              "E0509",
              as.loc(),
              "The return type annotation\n  "
                  + TypePrinter.show(declared)
                  + "\nrefers to the name \""
                  + n.base()
                  + "\" which is bound to an inner component of a function parameter.");
        }
      }
      unify(
          term.loc(),
          "return type annotation",
          "Function body does not have expected type.",
          declared,
          t);
    }
    return new Body(e, t);
  }

  private Exp lambda(Term.Lambda l) {
    int outer = sizes.level++;
    Set<Name> hidden = new LinkedHashSet<>();
    List<Pat> params = params(l.params(), hidden);
    int bodyLevel = sizes.level;
    Type result = absorbing(l.body().type(), l.loc());
    Type declared = null;
    if (l.result() != null) {
      declared = typeTerm(l.result());
      unify(
          l.loc(),
          "lambda return type ascription",
          "Function body does not have expected type.",
          result,
          declared);
    }
    Body body = body(params, hidden, l.body(), l.result(), declared);
    unify(
        l.body().loc(),
        "inferred return type",
        "Function body does not have expected type.",
        result,
        body.type);
    sizes.level = outer;
    params = normPats(params);
    verifyParams(params, hidden, l.loc());
    Type ret = norm(declared != null ? declared : body.type);
    Set<Name> visible = new HashSet<>();
    for (Pat p : params) {
      if (!(p.type() instanceof Type.Fun)) immediateParam(p.type(), visible);
      Name n = paramName(p);
      if (n != null) visible.add(n);
    }
    Set<Name> hide = new LinkedHashSet<>();
    for (Name n : Positions.free(ret)) {
      SizeSolver.Info i = sizes.info(n);
      if (i != null
          && i.kind == SizeSolver.Kind.UNKNOWN
          && i.level > outer
          && !visible.contains(n)) {
        hide.add(n);
      }
    }
    Unscope.Result u = unscope(ret, hide, l.loc());
    Type.Result r = new Type.Result(u.sizes(), u.type());
    return new Exp.Lambda(
        params, body.exp, r, l.result() != null, functionType(params, r), l.loc());
  }

  /** The type with other names for what it binds, which must not be mistaken for those that the body uses. */
  private Type renamed(Type t) {
    return new Subst(cx.names, true).type(t);
  }

  private static void immediateParam(Type t, Set<Name> into) {
    switch (t) {
      case Type.Fun f -> {}
      case Type.Record r -> r.fields().values().forEach(x -> immediateParam(x, into));
      default -> Positions.free(t, into);
    }
  }

  private List<Pat> normPats(List<Pat> params) {
    List<Pat> result = new ArrayList<>(params.size());
    for (Pat p : params) result.add(sizes.normaliser().pat(p));
    return result;
  }

  private List<Pat> params(List<Term.TPat> params, Set<Name> hidden) {
    List<Pat> result = new ArrayList<>();
    for (Term.TPat p : params) {
      sizes.level++;
      Set<Name> names = new LinkedHashSet<>();
      // Sizes of the parameter's type are from outside of it, its names are for what follows.
      sizes.level--;
      Pat q = pat(p, null, Map.of(), names);
      sizes.level++;
      for (Name n : names) {
        SizeSolver.Info i = sizes.info(n);
        if (i != null) i.level = sizes.level;
      }
      hidden(q, names);
      hidden.addAll(names);
      result.add(q);
    }
    return result;
  }

  static Type functionType(List<Pat> params, Type.Result result) {
    Type.Result r = result;
    for (int i = params.size() - 1; i >= 0; i--) {
      Pat p = params.get(i);
      Name n = paramName(p);
      if (n != null && !mentioned(n, r.type())) n = null;
      r = Type.Result.of(new Type.Fun(n, p.type(), r));
    }
    return r.type();
  }

  private static boolean mentioned(Name n, Type t) {
    return Positions.free(t).contains(n);
  }

  private void verifyParams(List<Pat> params, Set<Name> hiddenNames, Loc loc) {
    Set<Name> forbidden = new HashSet<>(hiddenNames);
    for (Pat p : params) {
      Name n = paramName(p);
      if (n != null) forbidden.add(n);
    }
    for (Pat p : params) {
      for (Name n : Positions.free(p.type())) {
        if (forbidden.contains(n)) {
          throw new DiagnosticException(
              Diagnostic.error(
                      "E0510",
                      p.loc(),
                      "Parameter of type\n  "
                          + TypePrinter.show(p.type())
                          + "\nrefers to size \""
                          + n.base()
                          + "\", which will not be accessible to the caller, possibly because it is nested"
                          + " in a tuple or record. Consider ascribing an explicit type that does not"
                          + " reference \""
                          + n.base()
                          + "\".")
                  .see("inaccessible-size"));
        }
      }
      Name n = paramName(p);
      if (n != null) forbidden.remove(n);
    }
  }

  /** A function or value, generalised over the sizes that are still open in its type. */
  ValDef function(
      Term.FunTerm f,
      List<futharkc.core.language.syntax.Attr> attrs,
      @Nullable String doc,
      boolean top) {
    int outer = sizes.level++;
    for (LocalVar v : f.sizeParams()) bindSize(v);
    Set<Name> hidden = new LinkedHashSet<>();
    List<Pat> params = params(f.params(), hidden);
    Type declared = f.result() == null ? null : typeTerm(f.result());
    if (f.self() != null && declared != null) {
      f.self().sized =
          new Scheme(
              f.sizeParams().stream().map(v -> v.name).toList(),
              List.of(),
              renamed(
                  functionType(params, new Type.Result(f.result().anonymous(), declared))));
    }
    sizes.level++;
    Body body = body(params, hidden, f.body(), f.result(), declared);
    params = normPats(params);
    Type ret = norm(declared != null ? declared : plain(body.type));
    verifyParams(params, hidden, f.loc());
    ret = unscopeUnknown(ret, f.loc()).type();
    sizes.level = outer;
    sizes.settleInstances(outer + 1);
    params = normPats(params);
    ret = norm(ret);
    return generalise(f, params, ret, body.exp, outer, attrs, doc);
  }

  /** Gives names to sizes that depend on unknown ones which cannot be told from the type. */
  private Unscope.Result unscopeUnknown(Type t, Loc loc) {
    Set<Name> witnesses = new HashSet<>();
    Positions.witnesses(t, witnesses);
    boolean any = false;
    for (Name n : Positions.free(t)) if (sizes.isUnknown(n)) any = true;
    if (!any) return new Unscope.Result(t, List.of());
    return Unscope.apply(
        t,
        s -> {
          if (!(s instanceof Type.Size.Of)) return false;
          Set<Name> free = new HashSet<>();
          SizeExps.names(s, free);
          for (Name n : free) if (sizes.isUnknown(n) && !witnesses.contains(n)) return true;
          return false;
        },
        s -> sizes.unknown("d", loc, "is unknown size at " + loc + "."));
  }

  private ValDef generalise(
      Term.FunTerm f,
      List<Pat> params,
      Type ret,
      Exp body,
      int outer,
      List<futharkc.core.language.syntax.Attr> attrs,
      @Nullable String doc) {
    Type whole = functionType(params, Type.Result.of(ret));
    Set<Name> produced = new LinkedHashSet<>();
    Set<Name> inParams = new LinkedHashSet<>();
    uses(whole, produced, inParams);
    List<Name> sizeParams = new ArrayList<>();
    for (LocalVar v : f.sizeParams()) sizeParams.add(v.name);
    Set<Name> visible = new LinkedHashSet<>();
    Positions.visit(
        whole,
        (pos, size, bound) -> {
          Set<Name> free = new LinkedHashSet<>();
          SizeExps.names(size, free);
          free.removeAll(bound);
          visible.addAll(free);
        });
    List<Name> existential = new ArrayList<>();
    Set<Name> inRet = Positions.free(ret);
    for (Name n : visible) {
      SizeSolver.Info i = sizes.info(n);
      if (i == null || i.level <= outer || sizeParams.contains(n)) continue;
      switch (i.kind) {
        case FLEXIBLE -> {
          i.kind = SizeSolver.Kind.PARAM;
          sizeParams.add(n);
        }
        case UNKNOWN -> {
          if (inParams.contains(n) && !produced.contains(n)) {
            throw new DiagnosticException(
                Diagnostic.error(
                        "E0511",
                        f.loc(),
                        "Cannot generalise type of \""
                            + f.name().base()
                            + "\".\n\nUnknown size \""
                            + n.base()
                            + "\" in parameter of \""
                            + f.name().base()
                            + "\", which is inferred as:\n  "
                            + TypePrinter.show(whole)
                            + "\n\n\""
                            + n.base()
                            + "\" "
                            + i.why)
                    .see("unknown-param-def"));
          }
          if (inRet.contains(n)) existential.add(n);
        }
        case PARAM, INSTANCE, COPY, EXISTENTIAL -> {}
      }
    }
    Type.Result result = injectExistential(existential, ret);
    Set<Name> used = new HashSet<>();
    Positions.free(result.type(), used);
    for (Pat p : params) Positions.free(p.type(), used);
    for (LocalVar v : f.sizeParams()) if (!used.contains(v.name)) throw unusedSize(v.name, v.loc);
    Type type = functionType(params, result);
    if (params.isEmpty() && !sizeParams.isEmpty() && !result.sizes().isEmpty()) {
      throw error(
          "E0512",
          f.loc(),
          "A size-polymorphic value binding may not have a type with an existential size.\nType of this binding is:\n  "
              + TypePrinter.show(result));
    }
    return new ValDef(
        f.name(),
        List.copyOf(sizeParams),
        f.typeParams().stream().map(TypeParamInfo::name).toList(),
        params,
        result,
        f.result() != null,
        type,
        body,
        false,
        attrs,
        doc,
        f.loc());
  }

  /** Binds existential sizes at the results that have them. */
  private static Type.Result injectExistential(List<Name> sizes, Type t) {
    if (sizes.isEmpty()) return Type.Result.of(t);
    Set<Name> produced = new HashSet<>();
    uses(t, produced, new HashSet<>());
    List<Name> here = new ArrayList<>();
    List<Name> deeper = new ArrayList<>();
    for (Name n : sizes) (produced.contains(n) ? here : deeper).add(n);
    return new Type.Result(here, deeper.isEmpty() ? t : inject(deeper, t));
  }

  private static Type inject(List<Name> sizes, Type t) {
    return switch (t) {
      case Type.Fun f -> {
        List<Name> all = new ArrayList<>();
        Set<Name> free = Positions.free(f.result().type());
        for (Name n : sizes) if (free.contains(n)) all.add(n);
        all.addAll(f.result().sizes());
        yield new Type.Fun(f.param(), f.from(), injectExistential(all, f.result().type()));
      }
      case Type.Record r -> {
        Map<String, Type> fields = new HashMap<>();
        r.fields().forEach((k, v) -> fields.put(k, inject(sizes, v)));
        yield new Type.Record(Type.sorted(fields));
      }
      case Type.Sum s -> {
        TreeMap<String, List<Type>> variants = new TreeMap<>();
        s.variants()
            .forEach((k, v) -> variants.put(k, v.stream().map(x -> inject(sizes, x)).toList()));
        yield new Type.Sum(variants);
      }
      case Type.Named n ->
          new Type.Named(
              n.unique(),
              n.name(),
              n.args().stream()
                  .map(
                      a ->
                          a instanceof Type.Arg.OfType o
                              ? new Type.Arg.OfType(inject(sizes, o.type()))
                              : a)
                  .toList());
      case Type.Prim p -> p;
      case Type.Array a -> a;
      case futharkc.core.language.typed.MetaType m -> m;
    };
  }

  /** Complains about sizes that nothing determines. */
  void checkAmbiguous() {
    sizes.settleInstances(0);
    for (Name n : sizes.all()) {
      SizeSolver.Info i = sizes.info(n);
      if (i == null || i.kind != SizeSolver.Kind.FLEXIBLE || i.solution != null) continue;
      Name blamed = n;
      SizeSolver.Info info = i;
      if (i.why.isEmpty()) {
        for (Name m : sizes.all()) {
          SizeSolver.Info other = sizes.info(m);
          if (other == null || other.solution == null || other.why.isEmpty()) continue;
          if (sizes.norm(SizeSolver.ref(m)).equals(SizeSolver.ref(n))) {
            blamed = m;
            info = other;
            break;
          }
        }
      }
      throw new DiagnosticException(
          Diagnostic.error(
                  "E0513",
                  info.loc,
                  "Ambiguous size \""
                      + blamed.base()
                      + "\""
                      + (info.why.isEmpty() ? "." : " arising from " + info.why + "."))
              .see("ambiguous-size"));
    }
  }
}
