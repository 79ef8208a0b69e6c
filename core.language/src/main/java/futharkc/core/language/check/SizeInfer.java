package futharkc.core.language.check;

import static java.util.Objects.requireNonNull;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.check.SizeUnifier.Usage;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The second pass over a definition: size inference. The structure of all types is known from the
 * first pass. This pass builds the checked tree. It throws at the first error.
 */
final class SizeInfer {
  final CheckContext cx;
  final SizeSolver sizes;
  private final LoopSizes loops;
  private final FunctionSizes functions;
  private final ApplySizes applications;
  final ArraySizes arrays;

  SizeInfer(CheckContext cx, boolean pins) {
    this.cx = cx;
    sizes = new SizeSolver(cx.names, pins);
    loops = new LoopSizes(this);
    functions = new FunctionSizes(this);
    applications = new ApplySizes(this);
    arrays = new ArraySizes(this);
  }

  // Errors and small conversions

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

  static Type pruned(Type t) {
    return TypeVar.prune(t);
  }

  static Usage usage(Loc loc, String why, Function<TypePrinter, String> header) {
    return new Usage(loc, why, header);
  }

  private static String differ(TypePrinter types, String what, Type expected, Type actual) {
    return what + "\nExpected: " + types.of(expected) + "\nActual:   " + types.of(actual);
  }

  void unify(Loc loc, String why, String what, Type expected, Type actual) {
    sizes.unify(
        usage(loc, why, types -> differ(types, what, norm(expected), norm(actual))),
        expected,
        actual);
  }

  /**
   * Returns a type from the first pass with fresh flexible sizes, which cannot become existential.
   */
  Type fresh(Type t, Loc loc) {
    return sizes.instanceSizes(t, Liftedness.UNLIFTED, loc, "");
  }

  /** Returns a type from the first pass with fresh sizes that the context may make existential. */
  Type absorbing(Type t, Loc loc) {
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

  /** Returns the type with a fresh flexible size for each anonymous size. */
  Type typeTerm(Term.TypeTerm t) {
    for (Name n : t.anonymous()) {
      sizes.flexible(n, t.loc(), "anonymous size in type expression");
    }
    return expressions(t);
  }

  /** Returns the type with its size expressions inserted. Anonymous sizes stay. */
  Type expressions(Term.TypeTerm t) {
    if (t.sizes().isEmpty()) {
      return norm(t.type());
    }
    for (LocalVar v : t.bound()) {
      v.sized = Scheme.of(plain(norm(v.type)));
    }
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
    if (gone.isEmpty()) {
      return new Unscope.Result(t, List.of());
    }
    Set<Name> free = Positions.free(t);
    boolean any = false;
    for (Name n : free) {
      if (gone.contains(n)) {
        any = true;
      }
    }
    if (!any) {
      return new Unscope.Result(t, List.of());
    }
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

  static @Nullable Name mentions(Type.Size s, Set<Name> names) {
    if (s instanceof Type.Size.Const) {
      return null;
    }
    Set<Name> free = new LinkedHashSet<>();
    SizeExps.names(s, free);
    for (Name n : free) {
      if (names.contains(n)) {
        return n;
      }
    }
    return null;
  }

  // Expressions

  Exp exp(Term t) {
    return switch (t) {
      case Term.Int i -> literal(i.value(), i.type(), i.loc());
      case Term.Float f -> floatLiteral(f.text(), f.type(), f.loc());
      case Term.Bool b -> new Exp.Lit(PrimType.BOOL, b.value() ? 1 : 0, b.loc());
      case Term.Str s ->
          new Exp.StringLit(
              s.bytes(),
              new Type.Array(false, new Type.Size.Const(s.bytes().length), Type.prim(PrimType.U8)),
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
            fields, List.copyOf(r.fields().keySet()), new Type.Record(Type.sorted(types)), r.loc());
      }
      case Term.ArrayLit a -> arrays.arrayLit(a);
      case Term.Project p -> {
        Exp e = exp(p.exp());
        Type.Record r = (Type.Record) norm(e.type());
        yield new Exp.Project(e, p.field(), requireNonNull(r.fields().get(p.field())), p.loc());
      }
      case Term.Apply a -> applications.apply(a);
      case Term.Constr c -> {
        Type type = absorbing(c.type(), c.loc());
        List<Exp> args = new ArrayList<>();
        List<Type> payload = requireNonNull(((Type.Sum) type).variants().get(c.name()));
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
          yield literal(i.value().negate(), i.type(), u.loc());
        }
        if (u.op() == Exp.Un.NEGATE && u.exp() instanceof Term.Float f) {
          yield floatLiteral("-" + f.text(), f.type(), u.loc());
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
      case Term.Coerce c -> arrays.coerce(c);
      case Term.Range r -> arrays.range(r);
      case Term.Index i -> {
        List<Exp.Dim> dims = arrays.dims(i.dims());
        Exp array = exp(i.array());
        List<Name> made = new ArrayList<>();
        Type type = arrays.slice(norm(array.type()), dims, i.loc(), true, made);
        yield new Exp.Index(array, dims, made, type, i.loc());
      }
      case Term.With w -> arrays.with(w);
      case Term.Let l -> let(l);
      case Term.If i -> {
        Exp cond = exp(i.cond());
        Exp then = exp(i.then());
        Exp otherwise = exp(i.otherwise());
        SizeUnifier.Common c = branches(then.type(), otherwise.type(), i.loc());
        yield new Exp.If(cond, then, otherwise, c.sizes(), c.type(), i.loc());
      }
      case Term.Match m -> match(m);
      case Term.Loop l -> loops.loop(l);
      case Term.Lambda l -> functions.lambda(l);
      case Term.Assert a -> new Exp.Assert(exp(a.cond()), a.text(), exp(a.exp()), a.loc());
      case Term.Attributed a -> new Exp.Attributed(a.attr(), exp(a.exp()), a.loc());
    };
  }

  static PrimType prim(Type t) {
    return ((Type.Prim) pruned(t)).type();
  }

  private static DiagnosticException outOfBounds(String value, PrimType type, Loc loc) {
    return new DiagnosticException(
        Diagnostic.error(
                "E0406", loc, "Literal " + value + " out of bounds for inferred type " + type + ".")
            .see("literal-out-of-bounds"));
  }

  private static Exp.Lit literal(BigInteger value, Type inferred, Loc loc) {
    PrimType type = prim(inferred);
    if (type.isFloat()) {
      return floatLiteral(value.toString(), inferred, loc);
    }
    if (!hasSuffix(inferred) && !wrapped(value, type).equals(value)) {
      throw outOfBounds(value.toString(), type, loc);
    }
    return new Exp.Lit(type, wrapped(value, type).longValue(), loc);
  }

  private static Exp.Lit floatLiteral(String text, Type inferred, Loc loc) {
    PrimType type = prim(inferred);
    double value = rounded(text, type);
    if (Double.isInfinite(value) && !hasSuffix(inferred)) {
      throw outOfBounds(text, type, loc);
    }
    return new Exp.Lit(type, Double.doubleToRawLongBits(value), loc);
  }

  /** Tests whether a literal's type comes from its suffix. All other literals are overloaded. */
  private static boolean hasSuffix(Type literal) {
    return literal instanceof Type.Prim;
  }

  /** Returns the integer in the range of a type that is congruent to a value modulo 2^bits. */
  static BigInteger wrapped(BigInteger value, PrimType type) {
    if (value.signum() >= 0 && value.bitLength() < type.bits()) {
      return value;
    }
    BigInteger size = BigInteger.ONE.shiftLeft(type.bits());
    BigInteger unsigned = value.mod(size);
    return type.isSigned() && unsigned.testBit(type.bits() - 1)
        ? unsigned.subtract(size)
        : unsigned;
  }

  /** Returns the value of a float literal in a type's precision. */
  static double rounded(String text, PrimType type) {
    return switch (type) {
      case F16 -> Float.float16ToFloat(Float.floatToFloat16(Float.parseFloat(text)));
      case F32 -> Float.parseFloat(text);
      default -> Double.parseDouble(text);
    };
  }

  // Variables

  private Exp local(Term.Local l) {
    LocalVar v = l.var();
    if (v.self && v.sized == null) {
      return new Exp.Var(v.name, List.of(), List.of(), fresh(l.type(), l.loc()), l.loc());
    }
    Scheme s = v.sized;
    if (s == null) {
      throw new IllegalStateException("variable without type: " + v);
    }
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
              n.base(), Liftedness.LIFTED, loc, "instantiated size parameter of \"" + what + "\"");
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
            if (p == null) {
              return n;
            }
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

  // Operators and application

  private Exp binOp(Term.BinOp b) {
    // A chain of operators is a left-leaning tree of any depth, so a loop replaces recursion.
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
              OverloadedOperators.isComparison(c.op()) ? Type.prim(PrimType.BOOL) : operands,
              c.loc());
    }
    return e;
  }

  SizeUnifier.Common branches(Type a, Type b, Loc loc) {
    if (a instanceof Type.Prim) {
      return new SizeUnifier.Common(a, List.of());
    }
    return sizes.common(
        usage(
            loc,
            "unification of branch results",
            types ->
                "Branches differ in type.\nFormer: "
                    + types.of(norm(a))
                    + "\nLatter: "
                    + types.of(norm(b))),
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
      SizeUnifier.Common c = branches(types.get(i), result, cases.get(i).loc());
      made.addAll(c.sizes());
      result = c.type();
    }
    made.retainAll(Positions.free(result));
    return new Exp.Match(scrutinee, cases, List.copyOf(made), result, m.loc());
  }

  // Bindings

  /**
   * The names that a binding puts into scope.
   *
   * @param value the substitution of a size variable by its value, if the value is an eligible size
   */
  private record Bound(Set<Name> names, @Nullable Subst value) {}

  private Exp let(Term.Let l) {
    int outer = sizes.level;
    List<Exp.Binding> bindings = new ArrayList<>(l.bindings().size());
    List<Bound> scopes = new ArrayList<>(l.bindings().size());
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
            Name name = names.iterator().next();
            Subst known = new Subst(cx.names).size(name, SizeExps.size(value));
            scopes.add(new Bound(names, known));
          } else {
            scopes.add(new Bound(names, null));
          }
        }
        case Term.Binding.OfFun f -> {
          ValDef d = functions.function(f.fun(), List.of(), null);
          f.var().sized =
              new Scheme(d.sizeParams(), f.fun().typeParams(), functions.renamed(d.type()));
          sizes.level++;
          sizes.param(f.var().name, f.var().loc);
          bindings.add(new Exp.Binding.OfFun(d, f.var().loc));
          scopes.add(new Bound(Set.of(f.var().name), null));
        }
      }
    }
    Exp body = exp(l.body());
    sizes.level = outer;
    Type t = norm(body.type());
    Set<Name> free = Positions.free(t);
    List<Name> made = new ArrayList<>();
    for (int i = scopes.size() - 1; i >= 0; i--) {
      Bound bound = scopes.get(i);
      if (Collections.disjoint(free, bound.names)) {
        continue;
      }
      if (bound.value != null) {
        t = bound.value.type(t);
      } else {
        Unscope.Result u = unscope(t, bound.names, l.bindings().get(i).loc());
        t = u.type();
        made.addAll(u.sizes());
      }
      free = Positions.free(t);
    }
    made.retainAll(free);
    return new Exp.Let(bindings, body, made, t, l.loc());
  }

  /**
   * Binds the names of {@code let [n]}. Returns the flexible sizes that represent them in the type
   * of the bound value.
   */
  Map<Name, Name> sizeBinders(List<LocalVar> binders, Set<Name> names) {
    if (binders.isEmpty()) {
      return Map.of();
    }
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
    if (binders.isEmpty()) {
      return;
    }
    Set<Name> free = Positions.free(pat.type());
    Set<Name> witnessed = new HashSet<>();
    Positions.witnesses(pat.type(), witnessed);
    for (LocalVar v : binders) {
      if (!free.contains(v.name)) {
        throw unusedSize(v.name, v.loc);
      }
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

  static DiagnosticException unusedSize(Name n, Loc loc) {
    return new DiagnosticException(
        Diagnostic.error("E0508", loc, "Size [" + n.base() + "] unused.").see("unused-size"));
  }

  // Patterns

  /**
   * Returns the checked pattern for a value of a type.
   *
   * @param known the type, or null if the pattern determines the type
   * @param binders the flexible sizes that represent size binders in the value's type
   * @param names the set to which the bound names are added
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
          Pat q = pat(f.getValue(), t == null ? null : t.fields().get(f.getKey()), binders, names);
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
        List<Type> payload = requireNonNull(((Type.Sum) t).variants().get(c.name()));
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

  /** Infers the sizes of a function, see {@link FunctionSizes#function}. */
  ValDef function(
      Term.FunTerm f, List<futharkc.core.language.syntax.Attr> attrs, @Nullable String doc) {
    return functions.function(f, attrs, doc);
  }

  /** Binds sizes that have turned out to be existential, see {@link ApplySizes#bindPending}. */
  Unscope.Result bindPending(Type t, Loc loc) {
    return applications.bindPending(t, loc);
  }

  /** Reports sizes that inference leaves undetermined. */
  void checkAmbiguous() {
    sizes.settleInstances(0);
    for (Name n : sizes.all()) {
      SizeSolver.Info i = sizes.info(n);
      if (i == null || i.kind != SizeSolver.Kind.FLEXIBLE || i.solution != null) {
        continue;
      }
      Name blamed = n;
      SizeSolver.Info info = i;
      if (i.why.isEmpty()) {
        for (Name m : sizes.all()) {
          SizeSolver.Info other = sizes.info(m);
          if (other == null || other.solution == null || other.why.isEmpty()) {
            continue;
          }
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
