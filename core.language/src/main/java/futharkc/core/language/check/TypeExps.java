package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.syntax.TypeExp;
import futharkc.core.language.syntax.TypeParam;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The checker of type expressions. It resolves names, expands abbreviations, and checks that sizes
 * have type i64.
 */
final class TypeExps {
  private final TermInfer infer;
  private final CheckContext cx;
  private final Locals names;

  TypeExps(TermInfer infer, CheckContext cx, Locals names) {
    this.infer = infer;
    this.cx = cx;
    this.names = names;
  }

  /** The parts of a type expression's result that its resolution collects. */
  private record Parts(List<Name> paramAnonymous, List<LocalVar> bound, Map<Name, Term> sizes) {}

  /** Checks a type expression. */
  Term.TypeTerm typeTerm(TypeExp te) {
    Parts parts = new Parts(new ArrayList<>(), new ArrayList<>(), new LinkedHashMap<>());
    List<Name> anonymous = new ArrayList<>();
    Type t = type(te, parts, anonymous);
    anonymous.addAll(parts.paramAnonymous);
    return new Term.TypeTerm(
        t,
        anonymous,
        parts.paramAnonymous,
        parts.bound,
        parts.sizes,
        SyntaxText.type(te),
        te.loc());
  }

  private void error(Loc loc, String message) {
    infer.error("E0401", loc, message);
  }

  private Type.Size anonymous(List<Name> into) {
    Name n = cx.names.fresh("d");
    into.add(n);
    return new Type.Size.Var(n);
  }

  private Type.Size size(TypeExp.Size s, Parts parts, List<Name> anonymous) {
    return switch (s) {
      case TypeExp.Size.Any a -> anonymous(anonymous);
      case TypeExp.Size.Of o -> size(o.exp(), parts);
    };
  }

  private Type.Size size(Exp e, Parts parts) {
    if (e instanceof Exp.IntLit i
        && (i.suffix() == null || i.suffix() == PrimType.I64)
        && i.value().bitLength() < 64) {
      return new Type.Size.Const(i.value().longValue());
    }
    Term t = infer.exp(e);
    infer.expect(
        e.loc(),
        SizeExps.I64,
        t.type(),
        "Size \"" + SyntaxText.brief(e) + "\" is not of type i64.");
    if (t instanceof Term.Local l && l.typeArgs().isEmpty() && l.var().typeParams.isEmpty()) {
      return new Type.Size.Var(l.var().name);
    }
    if (t instanceof Term.Global g && g.value().scheme().isMonomorphic()) {
      return new Type.Size.Var(g.value().name());
    }
    Name n = cx.names.fresh("size");
    parts.sizes.put(n, t);
    return new Type.Size.Var(n);
  }

  private Type type(TypeExp te, Parts parts, List<Name> dims) {
    return switch (te) {
      case TypeExp.Named n -> named(n, parts, dims);
      case TypeExp.Tuple t -> {
        if (t.elems().size() == 1) {
          yield type(t.elems().get(0), parts, dims);
        }
        List<Type> elems = new ArrayList<>();
        for (TypeExp e : t.elems()) {
          elems.add(type(e, parts, dims));
        }
        yield Type.tuple(elems);
      }
      case TypeExp.Record r -> {
        Map<String, Type> fields = new TreeMap<>(Type.FIELD_ORDER);
        for (TypeExp.Field f : r.fields()) {
          if (fields.put(f.name(), type(f.type(), parts, dims)) != null) {
            error(
                r.loc(),
                "Duplicate fields in type " + SyntaxText.type(r) + ": \"" + f.name() + "\".");
          }
        }
        yield new Type.Record(Type.sorted(fields));
      }
      case TypeExp.Array a -> {
        Type.Size s = size(a.size(), parts, dims);
        Type elem = type(a.elem(), parts, dims);
        checkElem(a.elem());
        yield new Type.Array(false, s, elem);
      }
      case TypeExp.Unique u -> {
        Type unique = Subst.unique(type(u.type(), parts, dims), true);
        if (unique instanceof Type.Prim) {
          cx.report(
              Diagnostic.warning(
                  "W0405",
                  u.loc(),
                  "Declaring \"" + SyntaxText.type(u.type()) + "\" as unique has no effect."));
        }
        yield unique;
      }
      case TypeExp.Fun f -> function(f, parts);
      case TypeExp.Sum s -> {
        TreeMap<String, List<Type>> variants = new TreeMap<>();
        for (TypeExp.Variant v : s.variants()) {
          List<Type> payload = new ArrayList<>();
          for (TypeExp p : v.payload()) {
            payload.add(type(p, parts, dims));
          }
          if (variants.put(v.name(), payload) != null) {
            error(s.loc(), "Duplicate constructors in type " + SyntaxText.type(s) + ".");
          }
        }
        if (variants.size() >= 256) {
          error(s.loc(), "Sum types must have less than 256 constructors.");
        }
        yield new Type.Sum(variants);
      }
      case TypeExp.Exists x -> {
        int mark = names.mark();
        List<Name> bound = new ArrayList<>();
        for (String n : x.sizes()) {
          LocalVar v = infer.local(n, SizeExps.I64, x.loc());
          names.bind(n, v);
          parts.bound.add(v);
          bound.add(v.name);
        }
        Type t = type(x.type(), parts, dims);
        names.reset(mark);
        Set<Name> used = new LinkedHashSet<>();
        Positions.witnesses(t, used);
        for (Name n : bound) {
          if (!used.contains(n)) {
            infer.error(
                Diagnostic.error(
                        "E0501",
                        x.loc(),
                        "Existential size \"" + n.base() + "\" not used as the size of an array.")
                    .see("unused-existential"));
          }
        }
        dims.addAll(bound);
        yield t;
      }
    };
  }

  /**
   * Returns the declared liftedness of a type. The result depends only on the declarations of the
   * types that it names, not on their definitions.
   */
  Liftedness liftedness(TypeExp te) {
    return switch (te) {
      case TypeExp.Named n -> {
        TypeBinding b = names.type(n.name());
        Liftedness l = b == null ? Liftedness.UNLIFTED : b.liftedness();
        for (TypeExp.Arg a : n.args()) {
          if (a instanceof TypeExp.Arg.OfType x) {
            l = CheckContext.max(l, liftedness(x.type()));
          }
        }
        yield l;
      }
      case TypeExp.Tuple t -> liftedness(t.elems());
      case TypeExp.Record r -> liftedness(r.fields().stream().map(TypeExp.Field::type).toList());
      case TypeExp.Array a -> liftedness(a.elem());
      case TypeExp.Unique u -> liftedness(u.type());
      case TypeExp.Fun f -> Liftedness.LIFTED;
      case TypeExp.Sum s ->
          liftedness(s.variants().stream().flatMap(v -> v.payload().stream()).toList());
      case TypeExp.Exists e -> CheckContext.max(Liftedness.SIZE_LIFTED, liftedness(e.type()));
    };
  }

  private Liftedness liftedness(List<TypeExp> types) {
    Liftedness l = Liftedness.UNLIFTED;
    for (TypeExp t : types) {
      l = CheckContext.max(l, liftedness(t));
    }
    return l;
  }

  private void checkElem(TypeExp te) {
    Loc loc = te.loc();
    switch (liftedness(te)) {
      case UNLIFTED -> {}
      case SIZE_LIFTED ->
          error(
              loc,
              "Cannot create array with elements of size-lifted type \""
                  + SyntaxText.type(te)
                  + "\" (might cause irregular array).");
      case LIFTED ->
          error(
              loc,
              "Cannot create array with elements of lifted type \""
                  + SyntaxText.type(te)
                  + "\" (might contain function).");
    }
  }

  private Type function(TypeExp.Fun f, Parts parts) {
    Type from = type(f.from(), parts, parts.paramAnonymous);
    int mark = names.mark();
    Name param = null;
    if (f.param() != null) {
      LocalVar v = infer.local(f.param(), from, f.loc());
      names.bind(f.param(), v);
      for (LocalVar other : parts.bound) {
        if (other.name.base().equals(f.param())) {
          error(f.loc(), "Name \"" + f.param() + "\" is bound more than once in the same type.");
        }
      }
      parts.bound.add(v);
      param = v.name;
    }
    List<Name> dims = new ArrayList<>();
    Type to = type(f.to(), parts, dims);
    names.reset(mark);
    return new Type.Fun(param, from, new Type.Result(dims, to));
  }

  private static Diagnostic unknown(TypeExp.Named n) {
    Diagnostic d = Diagnostic.error("E0302", n.loc(), "Unknown type \"" + n.name() + "\".");
    String hint = ForeignSyntaxHints.type(n.name().toString());
    return hint == null ? d : d.hint(hint);
  }

  private Type named(TypeExp.Named n, Parts parts, List<Name> dims) {
    TypeBinding b = names.type(n.name());
    if (b == null) {
      PrimType p = n.name().qualifiers().isEmpty() ? PrimType.named(n.name().name()) : null;
      if (p != null && n.args().isEmpty()) {
        return Type.prim(p);
      }
      if (p == null) {
        infer.error(unknown(n));
      } else {
        wrongArity(n, 0);
      }
      return infer.fresh(Liftedness.LIFTED, n.loc());
    }
    if (cx.broken.contains(b.name())) {
      infer.fail();
      return infer.fresh(Liftedness.LIFTED, n.loc());
    }
    if (b.params().size() != n.args().size()) {
      wrongArity(n, b.params().size());
      return infer.fresh(Liftedness.LIFTED, n.loc());
    }
    List<Type.Arg> args = new ArrayList<>();
    for (int i = 0; i < n.args().size(); i++) {
      TypeBinding.Param p = b.params().get(i);
      switch (n.args().get(i)) {
        case TypeExp.Arg.OfSize s -> {
          if (!p.size()) {
            error(
                n.loc(),
                "Type argument "
                    + SyntaxText.size(s.size())
                    + " not valid for type parameter '"
                    + p.name().base()
                    + ".");
          }
          args.add(new Type.Arg.OfSize(size(s.size(), parts, dims)));
        }
        case TypeExp.Arg.OfType t -> {
          Type arg = type(t.type(), parts, dims);
          if (p.size()) {
            error(
                n.loc(),
                "Type argument "
                    + SyntaxText.type(t.type())
                    + " not valid for size parameter ["
                    + p.name().base()
                    + "].");
            args.add(new Type.Arg.OfSize(anonymous(dims)));
          } else {
            args.add(new Type.Arg.OfType(arg));
          }
        }
      }
    }
    return Subst.expand(b, args, cx.names, dims);
  }

  private void wrongArity(TypeExp.Named n, int expected) {
    error(
        n.loc(),
        "Type constructor \""
            + n.name()
            + "\" requires "
            + expected
            + (expected == 1 ? " argument" : " arguments")
            + ", but provided "
            + n.args().size()
            + ".");
  }

  /**
   * Binds size and type parameters. The sizes are added to the list.
   *
   * @return the type parameters
   */
  List<TypeParamInfo> bindParams(List<TypeParam> params, List<LocalVar> sizes) {
    List<TypeParamInfo> types = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (TypeParam p : params) {
      boolean size = p instanceof TypeParam.Size;
      if (!seen.add((size ? "[" : "'") + p.name())) {
        infer.error(
            "E0303",
            p.loc(),
            (size ? "Size" : "Type")
                + " parameter \""
                + p.name()
                + "\" is also bound by a previously defined parameter.");
      }
      switch (p) {
        case TypeParam.Size s -> {
          LocalVar v = infer.local(s.name(), SizeExps.I64, s.loc());
          names.bind(s.name(), v);
          sizes.add(v);
        }
        case TypeParam.Type t -> {
          Name n = cx.names.fresh(t.name());
          TypeParamInfo info = new TypeParamInfo(n, t.liftedness(), t.loc());
          cx.liftedness.put(n, t.liftedness());
          names.bind(t.name(), TypeBinding.abstractType(n, t.liftedness(), List.of(), t.loc()));
          types.add(info);
        }
      }
    }
    return types;
  }
}
