package futharkc.core.language.index;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.Pat;
import futharkc.core.language.syntax.TypeExp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The resolution of names in expressions, patterns and types. */
final class ExpressionResolver {
  private final NameResolver names;

  ExpressionResolver(NameResolver names) {
    this.names = names;
  }

  private void define(Symbol.Kind kind, String name, Loc loc, NameScope scope) {
    Loc nameLoc = names.text().find(loc, name);
    Symbol symbol = Symbol.of(kind, name, nameLoc, loc);
    names.occurs(symbol, nameLoc, Occurrence.Role.DEFINITION);
    scope.bind(symbol);
  }

  // Expressions

  void exps(List<Exp> exps, NameScope scope) {
    exps.forEach(e -> exp(e, scope));
  }

  private void optional(@Nullable Exp exp, NameScope scope) {
    if (exp != null) {
      exp(exp, scope);
    }
  }

  void exp(Exp exp, NameScope scope) {
    switch (exp) {
      case Exp.IntLit _, Exp.FloatLit _, Exp.BoolLit _, Exp.StringLit _, Exp.Hole _ -> {}
      case Exp.Var v -> names.reference(v.name(), v.loc(), Members.Space.VALUES, scope);
      case Exp.Paren p -> exp(p.exp(), scope);
      case Exp.Tuple t -> exps(t.elems(), scope);
      case Exp.Record r -> r.fields().forEach(f -> field(f, scope));
      case Exp.ArrayLit a -> exps(a.elems(), scope);
      case Exp.Project p -> exp(p.exp(), scope);
      case Exp.OpenIn o -> openIn(o, scope);
      case Exp.Apply a -> {
        exp(a.fun(), scope);
        exps(a.args(), scope);
      }
      case Exp.Constr c -> exps(c.args(), scope);
      case Exp.Negate n -> exp(n.exp(), scope);
      case Exp.Not n -> exp(n.exp(), scope);
      case Exp.BinOp b -> {
        exp(b.left(), scope);
        names.reference(b.op(), b.opLoc(), Members.Space.VALUES, scope);
        exp(b.right(), scope);
      }
      case Exp.Ascript a -> {
        exp(a.exp(), scope);
        type(a.type(), scope);
      }
      case Exp.Coerce c -> {
        exp(c.exp(), scope);
        type(c.type(), scope);
      }
      case Exp.Range r -> {
        exp(r.start(), scope);
        optional(r.second(), scope);
        exp(r.end(), scope);
      }
      case Exp.Index i -> {
        exp(i.array(), scope);
        dims(i.dims(), scope);
      }
      case Exp.With w -> {
        exp(w.src(), scope);
        path(w.path(), scope);
        exp(w.value(), scope);
      }
      case Exp.Let l -> let(l, scope);
      case Exp.If i -> {
        exp(i.cond(), scope);
        exp(i.then(), scope);
        exp(i.otherwise(), scope);
      }
      case Exp.Match m -> {
        exp(m.exp(), scope);
        for (Exp.Case c : m.cases()) {
          NameScope inner = new NameScope(scope);
          pat(c.pat(), inner);
          names.visible(c.loc(), inner);
          exp(c.body(), inner);
        }
      }
      case Exp.Loop l -> loop(l, scope);
      case Exp.Lambda l -> {
        NameScope inner = new NameScope(scope);
        l.params().forEach(p -> pat(p, inner));
        if (l.result() != null) {
          type(l.result(), inner);
        }
        names.visible(l.loc(), inner);
        exp(l.body(), inner);
      }
      case Exp.OpSection s -> names.reference(s.op(), s.loc(), Members.Space.VALUES, scope);
      case Exp.LeftSection s -> {
        exp(s.left(), scope);
        names.reference(s.op(), s.opLoc(), Members.Space.VALUES, scope);
      }
      case Exp.RightSection s -> {
        names.reference(s.op(), s.opLoc(), Members.Space.VALUES, scope);
        exp(s.right(), scope);
      }
      case Exp.AccessSection s -> path(s.path(), scope);
      case Exp.Assert a -> {
        exp(a.cond(), scope);
        exp(a.exp(), scope);
      }
      case Exp.Attributed a -> exp(a.exp(), scope);
    }
  }

  private void field(Exp.Field f, NameScope scope) {
    if (f.exp() != null) {
      exp(f.exp(), scope);
      return;
    }
    Symbol symbol = scope.find(Members.Space.VALUES, f.name());
    if (symbol != null) {
      names.occurs(symbol, f.loc(), Occurrence.Role.FIELD_REFERENCE);
    }
  }

  private void openIn(Exp.OpenIn o, NameScope scope) {
    Symbol module = names.reference(o.module(), o.loc(), Members.Space.VALUES, scope);
    NameScope inner = new NameScope(scope);
    if (module != null && module.meaning != null) {
      inner.open(module.meaning.members());
    }
    names.visible(o.exp().loc(), inner);
    exp(o.exp(), inner);
  }

  private void let(Exp.Let l, NameScope outer) {
    NameScope scope = outer;
    for (Exp.Binding b : l.bindings()) {
      NameScope inner = new NameScope(scope);
      switch (b) {
        case Exp.Binding.OfPat p -> {
          exp(p.value(), scope);
          p.sizes().forEach(s -> define(Symbol.Kind.SIZE, s.name(), s.loc(), inner));
          pat(p.pat(), inner);
        }
        case Exp.Binding.OfFun f -> function(f, scope, inner);
        case Exp.Binding.OfUpdate u -> {
          path(u.path(), scope);
          exp(u.value(), scope);
          Symbol symbol = scope.find(Members.Space.VALUES, u.name());
          if (symbol != null) {
            names.occurs(symbol, u.nameLoc(), Occurrence.Role.REFERENCE);
          }
        }
      }
      Loc rest =
          new Loc(
              b.loc().file(),
              b.loc().endLine(),
              b.loc().endColumn(),
              l.loc().endLine(),
              l.loc().endColumn());
      names.visible(rest, inner);
      scope = inner;
    }
    exp(l.body(), scope);
  }

  private void function(Exp.Binding.OfFun f, NameScope outer, NameScope result) {
    String signature = names.signature(f.loc(), f.body().loc());
    Symbol symbol =
        new Symbol(
            Symbol.Kind.LOCAL,
            f.name(),
            f.nameLoc(),
            f.loc(),
            null,
            true,
            signature,
            NameResolver.head(f.loc(), f.body().loc()));
    names.occurs(symbol, f.nameLoc(), Occurrence.Role.DEFINITION);
    NameScope inner = new NameScope(outer);
    names.typeParams(f.typeParams(), inner);
    f.params().forEach(p -> pat(p, inner));
    if (f.result() != null) {
      type(f.result(), inner);
    }
    names.visible(f.loc(), inner);
    exp(f.body(), inner);
    result.bind(symbol);
  }

  /**
   * Resolves a loop. Without an initial value, the variables of the pattern stand for the variables
   * outside the loop, so that a new name changes both.
   */
  private void loop(Exp.Loop l, NameScope outer) {
    NameScope scope = new NameScope(outer);
    l.sizes().forEach(s -> define(Symbol.Kind.SIZE, s.name(), s.loc(), scope));
    if (l.init() != null) {
      exp(l.init(), outer);
      pat(l.pat(), scope);
    } else {
      implicit(l.pat(), outer);
    }
    switch (l.form()) {
      case Exp.LoopForm.For f -> {
        exp(f.bound(), outer);
        define(Symbol.Kind.LOCAL, f.index(), f.indexLoc(), scope);
      }
      case Exp.LoopForm.ForIn f -> {
        exp(f.array(), outer);
        pat(f.pat(), scope);
      }
      case Exp.LoopForm.While w -> exp(w.cond(), scope);
    }
    names.visible(l.loc(), scope);
    exp(l.body(), scope);
  }

  private void implicit(Pat pat, NameScope scope) {
    switch (pat) {
      case Pat.Var v -> {
        Symbol symbol = scope.find(Members.Space.VALUES, v.name());
        if (symbol != null) {
          names.occurs(symbol, v.loc(), Occurrence.Role.REFERENCE);
        }
      }
      case Pat.Wildcard _, Pat.Literal _ -> {}
      case Pat.Tuple t -> t.elems().forEach(p -> implicit(p, scope));
      case Pat.Record r ->
          r.fields()
              .forEach(
                  f -> {
                    Symbol symbol = scope.find(Members.Space.VALUES, f.name());
                    if (f.pat() != null) {
                      implicit(f.pat(), scope);
                    } else if (symbol != null) {
                      names.occurs(symbol, f.loc(), Occurrence.Role.FIELD_REFERENCE);
                    }
                  });
      case Pat.Constr c -> c.payload().forEach(p -> implicit(p, scope));
      case Pat.Ascript a -> {
        type(a.type(), scope);
        implicit(a.pat(), scope);
      }
      case Pat.Attributed a -> implicit(a.pat(), scope);
    }
  }

  private void dims(List<Exp.DimIndex> dims, NameScope scope) {
    for (Exp.DimIndex d : dims) {
      switch (d) {
        case Exp.DimIndex.Fix f -> exp(f.index(), scope);
        case Exp.DimIndex.Slice s -> {
          optional(s.start(), scope);
          optional(s.end(), scope);
          optional(s.stride(), scope);
        }
      }
    }
  }

  private void path(List<Exp.Access> path, NameScope scope) {
    for (Exp.Access a : path) {
      switch (a) {
        case Exp.Access.Field _ -> {}
        case Exp.Access.Elem e -> dims(e.dims(), scope);
      }
    }
  }

  // Patterns

  void pat(Pat pat, NameScope scope) {
    switch (pat) {
      case Pat.Var v -> define(Symbol.Kind.LOCAL, v.name(), v.loc(), scope);
      case Pat.Wildcard _, Pat.Literal _ -> {}
      case Pat.Tuple t -> t.elems().forEach(p -> pat(p, scope));
      case Pat.Record r ->
          r.fields()
              .forEach(
                  f -> {
                    if (f.pat() instanceof Pat.Ascript a && isShorthand(f, a.pat())) {
                      type(a.type(), scope);
                      shorthand(f.name(), a.pat().loc(), scope);
                    } else if (f.pat() != null) {
                      pat(f.pat(), scope);
                    } else {
                      shorthand(f.name(), f.loc(), scope);
                    }
                  });
      case Pat.Constr c -> c.payload().forEach(p -> pat(p, scope));
      case Pat.Ascript a -> {
        type(a.type(), scope);
        pat(a.pat(), scope);
      }
      case Pat.Attributed a -> pat(a.pat(), scope);
    }
  }

  /** Tests whether the pattern of a field is the name of the field: {@code {x: t}}. */
  private static boolean isShorthand(Pat.Field field, Pat pat) {
    return pat instanceof Pat.Var v
        && v.loc().line() == field.loc().line()
        && v.loc().column() == field.loc().column();
  }

  private void shorthand(String name, Loc loc, NameScope scope) {
    Symbol symbol = Symbol.of(Symbol.Kind.LOCAL, name, loc, loc);
    names.occurs(symbol, loc, Occurrence.Role.FIELD_DEFINITION);
    scope.bind(symbol);
  }

  // Types

  void type(TypeExp type, NameScope scope) {
    switch (type) {
      case TypeExp.Named n -> {
        names.reference(n.name(), n.loc(), Members.Space.TYPES, scope);
        for (TypeExp.Arg a : n.args()) {
          switch (a) {
            case TypeExp.Arg.OfSize s -> size(s.size(), scope);
            case TypeExp.Arg.OfType t -> type(t.type(), scope);
          }
        }
      }
      case TypeExp.Tuple t -> t.elems().forEach(e -> type(e, scope));
      case TypeExp.Record r -> r.fields().forEach(f -> type(f.type(), scope));
      case TypeExp.Array a -> {
        size(a.size(), scope);
        type(a.elem(), scope);
      }
      case TypeExp.Unique u -> type(u.type(), scope);
      case TypeExp.Fun f -> {
        type(f.from(), scope);
        NameScope inner = new NameScope(scope);
        if (f.param() != null) {
          define(Symbol.Kind.LOCAL, f.param(), f.loc(), inner);
        }
        type(f.to(), inner);
      }
      case TypeExp.Sum s -> s.variants().forEach(v -> v.payload().forEach(p -> type(p, scope)));
      case TypeExp.Exists e -> {
        NameScope inner = new NameScope(scope);
        List<Loc> locs = names.text().findAll(e.loc(), e.sizes());
        for (int i = 0; i < locs.size(); i++) {
          define(Symbol.Kind.SIZE, e.sizes().get(i), locs.get(i), inner);
        }
        type(e.type(), inner);
      }
    }
  }

  private void size(TypeExp.Size size, NameScope scope) {
    switch (size) {
      case TypeExp.Size.Any _ -> {}
      case TypeExp.Size.Of o -> exp(o.exp(), scope);
    }
  }
}
