package futharkc.core.language.check;

import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A verifier of checked programs. Every name is in scope at its uses, also in types. No type is
 * unknown, and instances have as many arguments as the definition has parameters.
 */
public final class TreeVerifier {
  private final Program program;
  private final List<String> problems = new ArrayList<>();
  private String where = "";

  private TreeVerifier(Program program) {
    this.program = program;
  }

  public static List<String> verify(Program program) {
    TreeVerifier v = new TreeVerifier(program);
    Set<Name> globals = new HashSet<>();
    for (ValDef d : program.defs().values()) {
      globals.add(d.name());
      if (d.params().isEmpty()) {
        globals.addAll(d.result().sizes());
      }
    }
    for (ValDef d : program.defs().values()) {
      v.def(d, globals);
    }
    return v.problems;
  }

  private void problem(String text) {
    if (problems.size() < 20) {
      problems.add(where + ": " + text);
    }
  }

  private void def(ValDef d, Set<Name> outer) {
    where = d.name() + " at " + d.loc();
    Set<Name> scope = new HashSet<>(outer);
    scope.add(d.name());
    scope.addAll(d.sizeParams());
    type(d.type(), scope, "type of definition");
    for (Pat p : d.params()) {
      pat(p, scope);
    }
    Set<Name> result = new HashSet<>(scope);
    result.addAll(d.result().sizes());
    type(d.result().type(), result, "result");
    exp(d.body(), scope);
  }

  private void pat(Pat p, Set<Name> scope) {
    type(p.type(), scope, "pattern");
    names(p, scope);
  }

  private static void names(Pat p, Set<Name> into) {
    switch (p) {
      case Pat.Var v -> into.add(v.name());
      case Pat.Wildcard w -> {}
      case Pat.Literal l -> {}
      case Pat.Record r -> r.fields().values().forEach(q -> names(q, into));
      case Pat.Constr c -> c.payload().forEach(q -> names(q, into));
    }
  }

  private void type(Type t, Set<Name> scope, String what) {
    switch (t) {
      case Type.Prim p -> {}
      case Type.Array a -> {
        size(a.size(), scope, what);
        type(a.elem(), scope, what);
      }
      case Type.Record r -> r.fields().values().forEach(f -> type(f, scope, what));
      case Type.Sum s -> s.variants().values().forEach(ps -> ps.forEach(p -> type(p, scope, what)));
      case Type.Fun f -> {
        type(f.from(), scope, what);
        Set<Name> inner = new HashSet<>(scope);
        if (f.param() != null) {
          inner.add(f.param());
        }
        inner.addAll(f.result().sizes());
        type(f.result().type(), inner, what);
      }
      case Type.Named n -> {
        for (Type.Arg a : n.args()) {
          switch (a) {
            case Type.Arg.OfSize s -> size(s.size(), scope, what);
            case Type.Arg.OfType o -> type(o.type(), scope, what);
          }
        }
      }
      case MetaType m -> problem("unknown type in " + what);
    }
  }

  private void size(Type.Size s, Set<Name> scope, String what) {
    switch (s) {
      case Type.Size.Const c -> {}
      case Type.Size.Any a -> {
        if (!what.startsWith("argument")) {
          problem("open size in " + what);
        }
      }
      case Type.Size.Var v -> name(v.name(), scope, what);
      case Type.Size.Of o -> exp(o.exp(), scope);
    }
  }

  private void name(Name n, Set<Name> scope, String what) {
    if (!n.isIntrinsic() && !scope.contains(n)) {
      problem(n + " not in scope in " + what);
    }
  }

  /** Adds the sizes that the evaluation of an expression computes. */
  private static void made(Exp e, Set<Name> into) {
    switch (e) {
      case Exp.Apply a -> into.addAll(a.sizes());
      case Exp.Range r -> into.addAll(r.sizes());
      case Exp.Index i -> into.addAll(i.sizes());
      case Exp.Let l -> {
        into.addAll(l.sizes());
        for (Exp.Binding b : l.bindings()) {
          if (b instanceof Exp.Binding.OfPat p) {
            made(p.value(), into);
          }
        }
        made(l.body(), into);
        return;
      }
      case Exp.If i -> {
        into.addAll(i.sizes());
        made(i.cond(), into);
        return;
      }
      case Exp.Match m -> {
        into.addAll(m.sizes());
        made(m.exp(), into);
        return;
      }
      case Exp.Loop l -> {
        into.addAll(l.sizes());
        made(l.init(), into);
        switch (l.form()) {
          case Exp.Form.For f -> made(f.bound(), into);
          case Exp.Form.ForIn f -> made(f.array(), into);
          case Exp.Form.While w -> {}
        }
        return;
      }
      case Exp.Lambda l -> {
        return;
      }
      default -> {}
    }
    SizeExps.children(e, c -> made(c, into));
  }

  private void exp(Exp e, Set<Name> outer) {
    Set<Name> scope = new HashSet<>(outer);
    made(e, scope);
    inside(e, scope);
  }

  private void inside(Exp e, Set<Name> scope) {
    type(e.type(), scope, "type of " + e.getClass().getSimpleName() + " at " + e.loc());
    switch (e) {
      case Exp.Var v -> {
        name(v.name(), scope, "variable at " + v.loc());
        for (Type.Size s : v.sizeArgs()) {
          size(s, scope, "argument of " + v.name() + " at " + v.loc());
        }
        for (Type t : v.typeArgs()) {
          type(t, scope, "argument of " + v.name() + " at " + v.loc());
        }
        ValDef d = program.defs().get(v.name());
        // The numbers of sizes may differ if an abstract type hides sizes.
        if (d != null && d.typeParams().size() != v.typeArgs().size()) {
          problem("instance of " + v.name() + " with other number of arguments");
        }
      }
      case Exp.Let l -> {
        Set<Name> now = new HashSet<>(scope);
        for (Exp.Binding b : l.bindings()) {
          switch (b) {
            case Exp.Binding.OfPat p -> {
              inside(p.value(), now);
              now.addAll(p.sizes());
              pat(p.pat(), now);
            }
            case Exp.Binding.OfFun f -> {
              String outer = where;
              def(f.def(), now);
              where = outer;
              now.add(f.def().name());
            }
          }
        }
        inside(l.body(), now);
      }
      case Exp.If i -> {
        inside(i.cond(), scope);
        exp(i.then(), scope);
        exp(i.otherwise(), scope);
      }
      case Exp.Match m -> {
        inside(m.exp(), scope);
        for (Exp.Case c : m.cases()) {
          Set<Name> inner = new HashSet<>(scope);
          pat(c.pat(), inner);
          exp(c.body(), inner);
        }
      }
      case Exp.Loop l -> {
        inside(l.init(), scope);
        Set<Name> inner = new HashSet<>(scope);
        inner.addAll(l.loopSizes());
        switch (l.form()) {
          case Exp.Form.For f -> {
            inside(f.bound(), scope);
            inner.add(f.index());
          }
          case Exp.Form.ForIn f -> {
            inside(f.array(), scope);
            pat(f.pat(), inner);
          }
          case Exp.Form.While w -> {}
        }
        pat(l.pat(), inner);
        if (l.form() instanceof Exp.Form.While w) {
          exp(w.cond(), inner);
        }
        exp(l.body(), inner);
      }
      case Exp.Lambda l -> {
        Set<Name> inner = new HashSet<>(scope);
        for (Pat p : l.params()) {
          pat(p, inner);
        }
        Set<Name> result = new HashSet<>(inner);
        result.addAll(l.result().sizes());
        type(l.result().type(), result, "result of lambda at " + l.loc());
        exp(l.body(), inner);
      }
      default -> SizeExps.children(e, c -> inside(c, scope));
    }
  }
}
