package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.rules.WarningRequests;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.Pat;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.syntax.QualName;
import futharkc.core.language.syntax.TypeExp;
import futharkc.core.language.syntax.TypeParam;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The first pass over a definition: name resolution and type inference without sizes. It continues
 * after an error to find further errors; the resulting term must then not be used.
 */
final class TermInfer {
  final CheckContext cx;
  final Locals names;
  final Unifier unifier = new Unifier();
  private final TypeExps types;
  final Patterns patterns;
  final ArrayTerms arrays = new ArrayTerms(this);
  final ApplyTerms applications = new ApplyTerms(this);
  private final BindingTerms bindings = new BindingTerms(this);
  final OperatorTerms operators = new OperatorTerms(this);
  final ReferenceTerms references = new ReferenceTerms(this);
  final List<Instance> instances = new ArrayList<>();
  private int level;
  private boolean failed;
  private boolean recursive;
  private final List<Diagnostic> found = new ArrayList<>();

  /** An instance of a type parameter. The type must satisfy the parameter's liftedness. */
  record Instance(String what, Liftedness liftedness, Type type, Loc loc) {}

  TermInfer(CheckContext cx, LexicalScope scope) {
    this.cx = cx;
    names = new Locals(scope);
    types = new TypeExps(this, cx, names);
    patterns = new Patterns(this, types);
  }

  /** Marks the definition as failed after an already reported error. */
  void fail() {
    failed = true;
  }

  boolean failed() {
    return failed;
  }

  TypeExps types() {
    return types;
  }

  void error(Diagnostic d) {
    failed = true;
    found.add(d);
  }

  void warn(String code, Loc loc, String message) {
    found.add(Diagnostic.warning(code, loc, message));
  }

  /** Returns the number of collected diagnostics. */
  int reported() {
    return found.size();
  }

  /** Tests whether an error is among the diagnostics collected since a mark. */
  boolean hasFailed(int since) {
    return found.subList(since, found.size()).stream().anyMatch(Diagnostic::isError);
  }

  /** Drops the collected diagnostics from this number on. */
  void retract(int since) {
    found.subList(since, found.size()).clear();
  }

  /** Reports the collected diagnostics. */
  void report() {
    found.forEach(cx::report);
    found.clear();
  }

  /** Marks the definition as recursive. */
  void refersToItself() {
    recursive = true;
  }

  /** Tests whether the definition refers to itself. */
  boolean isRecursive() {
    return recursive;
  }

  void error(String code, Loc loc, String message) {
    error(Diagnostic.error(code, loc, message));
  }

  TypeVar fresh(Liftedness liftedness, Loc loc) {
    return unifier.fresh(level, liftedness, loc);
  }

  TypeVar elem(Loc loc) {
    return fresh(Liftedness.UNLIFTED, loc);
  }

  TypeVar overloaded(int prims, Loc loc) {
    TypeVar v = fresh(Liftedness.UNLIFTED, loc);
    v.prims = prims;
    return v;
  }

  LocalVar local(String name, Type type, Loc loc) {
    return new LocalVar(cx.names.fresh(name), loc, type);
  }

  static Type array(int rank, Type elem) {
    for (int i = 0; i < rank; i++) {
      elem = new Type.Array(false, new Type.Size.Any(), elem);
    }
    return elem;
  }

  static Type fun(Type from, Type to) {
    return new Type.Fun(null, from, Type.Result.of(to));
  }

  // Errors

  /**
   * Unifies two types, or collects an error.
   *
   * @param what the first sentence of the error message
   */
  void expect(Loc loc, Type expected, Type actual, Supplier<String> what) {
    Type a = TypeVar.prune(expected);
    Type b = TypeVar.prune(actual);
    if (a == b) {
      return;
    }
    String failure = unifier.unify(a, b);
    if (failure == null) {
      return;
    }
    if (failure.startsWith("Occurs check")) {
      error(
          Diagnostic.error(
                  "E0403",
                  loc,
                  what.get()
                      + "\n\nOccurs check: cannot instantiate\n  "
                      + TypePrinter.unsized(expected)
                      + "\nwith\n  "
                      + TypePrinter.unsized(actual)
                      + "\nsince the type would contain itself.")
              .see("occurs-check"));
      return;
    }
    String header = what.get();
    String both = "\nExpected: " + TypePrinter.unsized(a) + "\nActual:   " + TypePrinter.unsized(b);
    String detail = failure.equals(Unifier.mismatch(a, b)) && header.endsWith(both) ? "" : failure;
    detail += homonyms(expected, actual);
    Diagnostic d =
        Diagnostic.error("E0401", loc, detail.isEmpty() ? header : header + "\n\n" + detail);
    d = ForeignSyntaxHints.conversion(d, a, b);
    if (b instanceof Type.Fun && !(a instanceof Type.Fun) && !(a instanceof TypeVar)) {
      d = d.hint("This is a function: does it lack arguments?");
    }
    error(failure.contains("scope violation") ? d.see("scope-violation") : d);
  }

  /** Returns a text that distinguishes types with equal names. */
  private String homonyms(Type expected, Type actual) {
    if (!TypePrinter.unsized(expected).equals(TypePrinter.unsized(actual))) {
      return "";
    }
    List<String> paths = new ArrayList<>();
    for (Type t : List.of(expected, actual)) {
      new Mapper() {
        @Override
        Type meta(futharkc.core.language.typed.MetaType m) {
          Type p = TypeVar.prune(m);
          return p == m ? m : type(p);
        }

        @Override
        Type named(Type.Named n) {
          String path = cx.paths.get(n.name());
          if (path != null && !paths.contains(path)) {
            paths.add(path);
          }
          return n;
        }
      }.type(t);
    }
    return paths.size() < 2
        ? ""
        : "\nThese are different types of the same name: " + String.join(", ", paths) + ".";
  }

  /** Adds the origin of the expected type to the error collected since a mark, if one was. */
  void explain(int since, Loc loc, String text) {
    if (found.size() > since) {
      found.set(found.size() - 1, found.get(found.size() - 1).label(loc, text));
    }
  }

  /** Adds a hint to the error collected since a mark, if one was. */
  void hint(int since, @Nullable String text) {
    if (text != null && found.size() > since) {
      found.set(found.size() - 1, found.get(found.size() - 1).hint(text));
    }
  }

  void expect(Loc loc, Type expected, Type actual, String what) {
    expect(
        loc,
        expected,
        actual,
        () ->
            what
                + "\nExpected: "
                + TypePrinter.unsized(expected)
                + "\nActual:   "
                + TypePrinter.unsized(actual));
  }

  void require(int prims, Term t, String what) {
    Type p = TypeVar.prune(t.type());
    if (p instanceof Type.Prim q && (prims & 1 << q.type().ordinal()) != 0) {
      return;
    }
    expect(t.loc(), overloaded(prims, t.loc()), t.type(), () -> "Type mismatch in " + what + ".");
  }

  void requirePrim(PrimType prim, Term t, String what) {
    Type p = TypeVar.prune(t.type());
    if (p instanceof Type.Prim q && q.type() == prim) {
      return;
    }
    expect(t.loc(), Type.prim(prim), t.type(), "Type mismatch in " + what + ".");
  }

  Term hole(Loc loc) {
    return new Term.Hole(fresh(Liftedness.LIFTED, loc), loc);
  }

  // Expressions

  Term exp(Exp e) {
    return switch (e) {
      case Exp.IntLit i -> intLit(i.value(), i.suffix(), i.loc());
      case Exp.FloatLit f -> floatLit(f);
      case Exp.BoolLit b -> new Term.Bool(b.value(), b.loc());
      case Exp.StringLit s ->
          new Term.Str(
              s.value().getBytes(StandardCharsets.UTF_8),
              array(1, Type.prim(PrimType.U8)),
              s.loc());
      case Exp.Var v -> references.variable(v.name(), v.loc());
      case Exp.Hole h -> hole(h.loc());
      case Exp.Paren p -> exp(p.exp());
      case Exp.Tuple t -> {
        if (t.elems().size() == 1) {
          yield exp(t.elems().get(0));
        }
        Map<String, Term> fields = new LinkedHashMap<>();
        List<Type> elems = new ArrayList<>();
        for (Exp x : t.elems()) {
          Term f = exp(x);
          fields.put(Integer.toString(elems.size()), f);
          elems.add(f.type());
        }
        yield new Term.Record(fields, Type.tuple(elems), t.loc());
      }
      case Exp.Record r -> record(r);
      case Exp.ArrayLit a -> arrays.arrayLit(a);
      case Exp.Project p -> references.project(exp(p.exp()), p.field(), p.loc());
      case Exp.OpenIn o -> references.openIn(o);
      case Exp.Apply a -> applications.apply(a);
      case Exp.Constr c -> {
        List<Term> args = new ArrayList<>();
        List<Type> argTypes = new ArrayList<>();
        for (Exp x : c.args()) {
          Term t = exp(x);
          args.add(t);
          argTypes.add(t.type());
        }
        TypeVar v = fresh(Liftedness.LIFTED, c.loc());
        v.variant(c.name(), argTypes);
        yield new Term.Constr(c.name(), args, v, c.loc());
      }
      case Exp.Negate n
          when n.exp() instanceof Exp.IntLit i && i.suffix() != null && i.suffix().isSigned() ->
          intLit(i.value().negate(), i.suffix(), n.loc());
      case Exp.Negate n -> {
        Term t = exp(n.exp());
        require(TypeVar.NUMBERS, t, "numeric negation");
        yield new Term.UnOp(futharkc.core.language.typed.Exp.Un.NEGATE, t, t.type(), n.loc());
      }
      case Exp.Not n -> {
        Term t = exp(n.exp());
        require(TypeVar.INTEGERS | TypeVar.BOOL, t, "logical negation");
        yield new Term.UnOp(futharkc.core.language.typed.Exp.Un.NOT, t, t.type(), n.loc());
      }
      case Exp.BinOp b -> operators.binOp(b);
      case Exp.Ascript a -> {
        Term t = exp(a.exp());
        Term.TypeTerm as = types.typeTerm(a.type());
        expect(
            a.exp().loc(),
            as.type(),
            t.type(),
            "Expression does not have expected type from explicit ascription.");
        yield new Term.Ascript(t, as, a.loc());
      }
      case Exp.Coerce c -> {
        Term t = exp(c.exp());
        Term.TypeTerm to = types.typeTerm(c.type());
        expect(
            c.exp().loc(),
            to.type(),
            t.type(),
            "Expression does not have expected type from size coercion.");
        yield new Term.Coerce(t, to, SyntaxText.type(c.type()), c.loc());
      }
      case Exp.Range r -> arrays.range(r);
      case Exp.Index i -> {
        Term array = exp(i.array());
        List<Term.Dim> dims = arrays.dims(i.dims());
        TypeVar elem = elem(i.loc());
        expect(
            i.array().loc(),
            array(dims.size(), elem),
            array.type(),
            () ->
                "Cannot index with "
                    + dims.size()
                    + " indices into value of type\n  "
                    + TypePrinter.unsized(array.type()));
        yield new Term.Index(array, dims, array(ArrayTerms.slices(dims), elem), i.loc());
      }
      case Exp.With w -> {
        Term src = exp(w.src());
        Term value = exp(w.value());
        yield arrays.with(src, w.path(), value, w.loc());
      }
      case Exp.Let l -> bindings.let(l);
      case Exp.If i -> {
        Term cond = exp(i.cond());
        requirePrim(PrimType.BOOL, cond, "condition of if");
        Term then = exp(i.then());
        Term otherwise = exp(i.otherwise());
        branches(then.type(), otherwise.type(), i.loc());
        notFunctional(then.type());
        yield new Term.If(cond, then, otherwise, i.loc());
      }
      case Exp.Match m -> {
        Term scrutinee = exp(m.exp());
        List<Term.Case> cases = new ArrayList<>();
        Type result = null;
        for (Exp.Case c : m.cases()) {
          int mark = names.mark();
          patterns.checkDuplicates(List.of(c.pat()));
          Term.TPat p = patterns.pat(c.pat(), scrutinee.type());
          Term body = exp(c.body());
          names.reset(mark);
          if (result == null) {
            result = body.type();
          } else {
            branches(result, body.type(), c.loc());
          }
          cases.add(new Term.Case(p, body, c.loc()));
        }
        if (result != null) {
          notFunctional(result);
        }
        yield new Term.Match(
            scrutinee, cases, result == null ? fresh(Liftedness.LIFTED, m.loc()) : result, m.loc());
      }
      case Exp.Loop l -> bindings.loop(l);
      case Exp.Lambda l -> {
        int mark = names.mark();
        int outerLevel = level;
        List<Term.TPat> params = params(l.params(), new HashMap<>());
        Term.TypeTerm result = l.result() == null ? null : types.typeTerm(l.result());
        Term body = exp(l.body());
        if (result != null) {
          int since = found.size();
          expect(
              l.body().loc(),
              result.type(),
              body.type(),
              "Function body does not have expected type.");
          explain(since, result.loc(), "expected because of this");
        }
        names.reset(mark);
        level = outerLevel;
        yield new Term.Lambda(params, result, body, funType(params, body.type()), l.loc());
      }
      case Exp.OpSection o -> operators.operator(o.op(), o.loc());
      case Exp.LeftSection s -> {
        Term left = exp(s.left());
        Entity op = operators.operatorEntity(s.op());
        if (op instanceof Entity.Operator o) {
          yield operators.halfSection(o, left, true, s.loc());
        }
        Term f = operators.operator(s.op(), s.opLoc());
        yield applications.applyTo(f, List.of(left), s.op().toString(), List.of(s.left()), s.loc());
      }
      case Exp.RightSection s -> {
        Term right = exp(s.right());
        Entity op = operators.operatorEntity(s.op());
        if (op instanceof Entity.Operator o) {
          yield operators.halfSection(o, right, false, s.loc());
        }
        Term f = operators.operator(s.op(), s.opLoc());
        LocalVar x = local("x", fresh(Liftedness.LIFTED, s.loc()), s.loc());
        Term body =
            operators.binding(
                right,
                y ->
                    applications.applyTo(
                        f,
                        List.of(new Term.Local(x, List.of(), x.type, s.loc()), y),
                        s.op().toString(),
                        List.of(new Exp.Var(QualName.of("x"), s.loc()), s.right()),
                        s.loc()),
                t ->
                    new Term.Lambda(
                        List.of(new Term.TPat.Var(x, x.type, s.loc())),
                        null,
                        t,
                        fun(x.type, t.type()),
                        s.loc()));
        yield body;
      }
      case Exp.AccessSection s -> {
        LocalVar x = local("x", fresh(Liftedness.LIFTED, s.loc()), s.loc());
        Term t = new Term.Local(x, List.of(), x.type, s.loc());
        for (Exp.Access a : s.path()) {
          switch (a) {
            case Exp.Access.Field f -> t = references.project(t, f.name(), s.loc());
            case Exp.Access.Elem el -> {
              List<Term.Dim> dims = arrays.dims(el.dims());
              TypeVar elem = elem(s.loc());
              expect(
                  s.loc(),
                  array(dims.size(), elem),
                  t.type(),
                  "Section does not fit its argument.");
              t = new Term.Index(t, dims, array(ArrayTerms.slices(dims), elem), s.loc());
            }
          }
        }
        yield new Term.Lambda(
            List.of(new Term.TPat.Var(x, x.type, s.loc())),
            null,
            t,
            fun(x.type, t.type()),
            s.loc());
      }
      case Exp.Assert a -> {
        Term cond = exp(a.cond());
        requirePrim(PrimType.BOOL, cond, "asserted condition");
        yield new Term.Assert(cond, a.text(), exp(a.exp()), a.loc());
      }
      case Exp.Attributed a -> {
        cx.asksForWarnings |= WarningRequests.asks(a.attr());
        yield new Term.Attributed(a.attr(), exp(a.exp()), a.loc());
      }
    };
  }

  /** Returns an integer literal. A value that does not fit the type of its suffix wraps. */
  private Term intLit(BigInteger literal, @Nullable PrimType suffix, Loc loc) {
    if (suffix == null) {
      return new Term.Int(literal, overloaded(TypeVar.NUMBERS, loc), loc);
    }
    BigInteger value = SizeInfer.wrapped(literal, suffix);
    if (!value.equals(literal)) {
      outOfBounds(literal.toString(), suffix, value.toString(), loc);
    }
    return new Term.Int(value, Type.prim(suffix), loc);
  }

  /** Returns a float literal. A value that its suffix's type cannot represent is infinite. */
  private Term floatLit(Exp.FloatLit f) {
    PrimType suffix = f.suffix();
    if (suffix == null) {
      return new Term.Float(f.text(), overloaded(TypeVar.FLOATS, f.loc()), f.loc());
    }
    if (Double.isInfinite(SizeInfer.rounded(f.text(), suffix))) {
      outOfBounds(f.text(), suffix, suffix + ".inf", f.loc());
    }
    return new Term.Float(f.text(), Type.prim(suffix), f.loc());
  }

  private void outOfBounds(String literal, PrimType type, String value, Loc loc) {
    warn(
        "W0403",
        loc,
        "Literal " + literal + " is out of bounds for " + type + ", and means " + value + ".");
  }

  /** Restricts an unknown type to types without functions. Known types are checked elsewhere. */
  static void notFunctional(Type t) {
    if (TypeVar.prune(t) instanceof TypeVar v
        && v.liftedness == Liftedness.LIFTED
        && v.prims == 0) {
      v.liftedness = Liftedness.SIZE_LIFTED;
    }
  }

  private void branches(Type former, Type latter, Loc loc) {
    expect(
        loc,
        former,
        latter,
        () ->
            "Branches differ in type.\nFormer: "
                + TypePrinter.unsized(former)
                + "\nLatter: "
                + TypePrinter.unsized(latter));
  }

  private Term record(Exp.Record r) {
    Map<String, Term> fields = new LinkedHashMap<>();
    Map<String, Type> fieldTypes = new HashMap<>();
    Map<String, Loc> where = new HashMap<>();
    for (Exp.Field f : r.fields()) {
      Term t = f.exp() == null ? references.variable(QualName.of(f.name()), f.loc()) : exp(f.exp());
      Loc old = where.putIfAbsent(f.name(), f.loc());
      if (old != null) {
        error("E0303", f.loc(), "Field \"" + f.name() + "\" previously defined at " + old + ".");
      }
      fields.put(f.name(), t);
      fieldTypes.put(f.name(), t.type());
    }
    return new Term.Record(fields, new Type.Record(Type.sorted(fieldTypes)), r.loc());
  }

  // Functions

  private List<Term.TPat> params(List<Pat> params, Map<String, Loc> seen) {
    patterns.checkDuplicates(params, seen);
    List<Term.TPat> result = new ArrayList<>();
    for (Pat p : params) {
      result.add(patterns.infer(p));
      level++;
    }
    return result;
  }

  static Type funType(List<Term.TPat> params, Type result) {
    Type t = result;
    for (int i = params.size() - 1; i >= 0; i--) {
      t = fun(params.get(i).type(), t);
    }
    return t;
  }

  /** A function and its type. */
  record FunResult(Term.FunTerm fun, Type type) {}

  FunResult function(
      String name,
      List<TypeParam> typeParams,
      List<Pat> paramPats,
      @Nullable TypeExp resultType,
      Exp bodyExp,
      boolean recursive,
      Loc loc) {
    int mark = names.mark();
    int outerLevel = level++;
    Name fresh = cx.names.fresh(name);
    LocalVar self = null;
    if (recursive && !paramPats.isEmpty() && Character.isJavaIdentifierStart(name.charAt(0))) {
      self = new LocalVar(fresh, loc, fresh(Liftedness.LIFTED, loc), List.of(), true);
      names.bind(name, self);
    }
    List<LocalVar> sizes = new ArrayList<>();
    List<TypeParamInfo> typeInfos = types.bindParams(typeParams, sizes);
    for (TypeParamInfo t : typeInfos) {
      unifier.bindParam(t.name(), level);
    }
    Map<String, Loc> seen = new HashMap<>();
    for (LocalVar v : sizes) {
      seen.put(v.name.base(), v.loc);
    }
    List<Term.TPat> params = params(paramPats, seen);
    Term.TypeTerm result = resultType == null ? null : types.typeTerm(resultType);
    Type resultT = result == null ? fresh(Liftedness.LIFTED, loc) : result.type();
    if (self != null && this.recursive) {
      error("E0301", loc, "The type of \"" + name + "\" depends on \"" + name + "\" itself.");
    }
    Type type = funType(params, resultT);
    if (self != null) {
      unifier.unify(self.type, type);
    }
    Term body = exp(bodyExp);
    int since = found.size();
    expect(bodyExp.loc(), resultT, body.type(), "Function body does not have expected type.");
    if (result != null) {
      explain(since, result.loc(), "expected because of this");
    }
    names.reset(mark);
    level = outerLevel;
    return new FunResult(
        new Term.FunTerm(fresh, sizes, typeInfos, params, result, body, self, loc), type);
  }

  /** Ends the first pass, see {@link Defaults#finish}. */
  List<TypeParamInfo> finish(Type type) {
    return new Defaults(this).finish(type);
  }
}
