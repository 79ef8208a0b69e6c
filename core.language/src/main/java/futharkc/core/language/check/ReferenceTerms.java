package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.QualName;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * The types of names in the first pass: variables, qualified names, fields, and modules opened for
 * an expression.
 */
final class ReferenceTerms {
  private final TermInfer infer;

  ReferenceTerms(TermInfer infer) {
    this.infer = infer;
  }

  private Type instantiate(
      List<TypeParamInfo> params, Type type, String what, List<Type> args, Loc loc) {
    if (params.isEmpty()) {
      return type;
    }
    Subst s = new Subst(infer.cx.names);
    for (TypeParamInfo p : params) {
      TypeVar v = infer.fresh(p.liftedness(), loc);
      args.add(v);
      s.type(p.name(), v);
      if (p.liftedness() != Liftedness.LIFTED) {
        infer.instances.add(new TermInfer.Instance(what, p.liftedness(), v, loc));
      }
    }
    return s.type(type);
  }

  Term variable(Entity e, String what, Loc loc) {
    switch (e) {
      case Entity.Value v -> {
        List<Type> args = new ArrayList<>();
        Type t = instantiate(v.scheme().types(), v.scheme().type(), what, args, loc);
        return new Term.Global(v, args, t, loc);
      }
      case LocalVar v -> {
        if (v.self) {
          infer.refersToItself();
        }
        List<Type> args = new ArrayList<>();
        Type t = instantiate(v.typeParams, v.type, what, args, loc);
        return new Term.Local(v, args, t, loc);
      }
      case Entity.Operator o -> {
        return infer.operators.section(o, loc);
      }
      case Entity.Module m -> {
        Diagnostic d =
            Diagnostic.error(
                "E0301",
                loc,
                "Unknown name \"" + what + "\": there is a module of that name, but no value.");
        infer.error(ForeignSyntaxHints.module(d, what));
        return infer.hole(loc);
      }
      case Entity.Broken b -> {
        infer.fail();
        return infer.hole(loc);
      }
    }
  }

  private Term unknown(QualName name, Loc loc) {
    Diagnostic d = Diagnostic.error("E0301", loc, "Unknown name \"" + name + "\".");
    String meant = name.qualifiers().isEmpty() ? infer.names.similar(name.name()) : null;
    String otherwise =
        name.qualifiers().isEmpty() ? ForeignSyntaxHints.value(name.name(), infer.names) : null;
    if (otherwise != null) {
      d = d.hint(otherwise);
    } else if (meant != null) {
      d = d.hint("Did you mean \"" + meant + "\"?");
    }
    infer.error(d);
    return infer.hole(loc);
  }

  Term variable(QualName q, Loc loc) {
    if (q.qualifiers().isEmpty()) {
      if (q.name().length() > 1 && q.name().startsWith("_") && !q.name().startsWith("__")) {
        infer.error(
            "E0304",
            loc,
            "Use of \"" + q.name() + "\": names that begin with an underscore may not be used.");
      }
      Entity e = infer.names.value(q.name());
      return e == null ? unknown(q, loc) : variable(e, q.name(), loc);
    }
    Entity e = infer.names.value(q.qualifiers().get(0));
    if (e == null) {
      return unknown(q, loc);
    }
    int i = 1;
    while (e instanceof Entity.Module m) {
      if (!(m.mod() instanceof Mod.Struct s)) {
        infer.error(
            Diagnostic.error(
                    "E0701",
                    loc,
                    "Module \"" + q.qualifiers().get(i - 1) + "\" is a parametric module.")
                .see("module-is-parametric"));
        return infer.hole(loc);
      }
      if (i > q.qualifiers().size()) {
        break;
      }
      String next = i == q.qualifiers().size() ? q.name() : q.qualifiers().get(i);
      e = s.env().values().get(next);
      if (e == null) {
        return unknown(q, loc);
      }
      i++;
    }
    List<String> path = new ArrayList<>(q.qualifiers());
    path.add(q.name());
    Term t = variable(e, String.join(".", path.subList(0, i)), loc);
    for (; i < path.size(); i++) {
      t = project(t, path.get(i), loc);
    }
    return t;
  }

  Term project(Term t, String field, Loc loc) {
    if (TypeVar.prune(t.type()) instanceof Type.Record r) {
      Type known = r.fields().get(field);
      if (known != null) {
        return new Term.Project(t, field, known, loc);
      }
    }
    TypeVar result = infer.fresh(Liftedness.LIFTED, loc);
    TypeVar v = infer.fresh(Liftedness.LIFTED, loc);
    v.field(field, result);
    int since = infer.reported();
    infer.expect(
        t.loc(),
        v,
        t.type(),
        () ->
            "Cannot project field \""
                + field
                + "\" from value of type\n  "
                + TypePrinter.unsized(t.type()));
    if (infer.names.value(field) instanceof Entity.Value f
        && f.scheme().type() instanceof Type.Fun) {
      infer.hint(since, "Functions are applied: \"" + field + " x\", or \"x |> " + field + "\".");
    }
    return new Term.Project(t, field, result, loc);
  }

  Term openIn(Exp.OpenIn o) {
    List<String> path = new ArrayList<>(o.module().qualifiers());
    path.add(o.module().name());
    Mod m = infer.names.module(path);
    switch (m) {
      case null -> {
        infer.error("E0301", o.loc(), "Unknown module \"" + o.module() + "\".");
        return infer.hole(o.loc());
      }
      case Mod.Functor f -> {
        infer.error(
            Diagnostic.error(
                    "E0701", o.loc(), "Module \"" + o.module() + "\" is a parametric module.")
                .see("module-is-parametric"));
        return infer.hole(o.loc());
      }
      case Mod.Struct s -> {
        int mark = infer.names.mark();
        infer.names.open(s.env());
        Term t = infer.exp(o.exp());
        infer.names.reset(mark);
        return t;
      }
    }
  }
}
