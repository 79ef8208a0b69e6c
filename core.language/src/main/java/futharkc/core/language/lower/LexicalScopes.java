package futharkc.core.language.lower;

import futharkc.core.ir.Loc;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The local variables in scope at the applications and breakpoints of a program. */
final class LexicalScopes {
  private final Map<Loc, Scope> scopes = new HashMap<>();
  private final Set<Name> breaking = new HashSet<>();

  /** A variable and the variables of the scope around it. */
  private record Scope(Name name, @Nullable Scope outer) {}

  /** The definition that is being visited; null in none. */
  private @Nullable Name definition;

  LexicalScopes(Collection<ValDef> defs) {
    for (ValDef d : defs) {
      definition = d.name();
      definition(d, null);
    }
    ExpressionStatistics statistics = ExpressionStatistics.empty();
    for (boolean changed = !breaking.isEmpty(); changed; ) {
      changed = false;
      for (ValDef d : defs) {
        changed |=
            !breaking.contains(d.name())
                && statistics.take(d).names().stream().anyMatch(breaking::contains)
                && breaking.add(d.name());
      }
    }
  }

  /** Tests whether a definition has a breakpoint, or uses a definition that has one. */
  boolean hasBreakpoint(Name definition) {
    return breaking.contains(definition);
  }

  /**
   * Returns the variables in scope at an application or breakpoint, by the names that the user
   * wrote. Inner variables hide outer variables of the same name.
   */
  Map<String, Name> at(Loc loc) {
    Map<String, Name> visible = new LinkedHashMap<>();
    for (Scope s = scopes.get(loc); s != null; s = s.outer) {
      visible.putIfAbsent(s.name.base(), s.name);
    }
    return visible;
  }

  private void definition(ValDef d, @Nullable Scope outer) {
    Scope s = with(outer, d.sizeParams());
    for (Pat p : d.params()) {
      s = with(s, names(p));
    }
    exp(d.body(), s);
  }

  private static @Nullable Scope with(@Nullable Scope outer, List<Name> names) {
    Scope s = outer;
    for (Name n : names) {
      s = new Scope(n, s);
    }
    return s;
  }

  private static List<Name> names(Pat p) {
    List<Name> names = new ArrayList<>();
    addNames(p, names);
    return names;
  }

  private static void addNames(Pat p, List<Name> out) {
    switch (p) {
      case Pat.Var v -> out.add(v.name());
      case Pat.Record r -> r.fields().values().forEach(x -> addNames(x, out));
      case Pat.Constr c -> c.payload().forEach(x -> addNames(x, out));
      case Pat.Wildcard _, Pat.Literal _ -> {}
    }
  }

  private void exps(Collection<Exp> es, @Nullable Scope s) {
    es.forEach(e -> exp(e, s));
  }

  private void note(Loc loc, @Nullable Scope s) {
    if (s != null) {
      scopes.put(loc, s);
    }
  }

  private void exp(@Nullable Exp e, @Nullable Scope s) {
    switch (e) {
      case null -> {}
      case Exp.Lit _, Exp.StringLit _, Exp.Var _, Exp.Hole _ -> {}
      case Exp.Record r -> exps(r.fields().values(), s);
      case Exp.ArrayLit a -> exps(a.elems(), s);
      case Exp.Project p -> exp(p.exp(), s);
      case Exp.Apply a -> {
        note(a.loc(), s);
        exps(a.args(), s);
        exp(a.fun(), s);
      }
      case Exp.Constr c -> exps(c.args(), s);
      case Exp.BinOp b -> {
        note(b.loc(), s);
        exp(b.left(), s);
        exp(b.right(), s);
      }
      case Exp.UnOp u -> exp(u.exp(), s);
      case Exp.And a -> {
        exp(a.left(), s);
        exp(a.right(), s);
      }
      case Exp.Or o -> {
        exp(o.left(), s);
        exp(o.right(), s);
      }
      case Exp.Coerce c -> exp(c.exp(), s);
      case Exp.Range r -> {
        exp(r.start(), s);
        exp(r.second(), s);
        exp(r.end(), s);
      }
      case Exp.Index i -> {
        dims(i.dims(), s);
        exp(i.array(), s);
      }
      case Exp.With w -> {
        for (Exp.Access a : w.path()) {
          if (a instanceof Exp.Access.Elem x) {
            dims(x.dims(), s);
          }
        }
        exp(w.value(), s);
        exp(w.src(), s);
      }
      case Exp.Let l -> {
        Scope inner = s;
        for (Exp.Binding b : l.bindings()) {
          inner = binding(b, inner);
        }
        exp(l.body(), inner);
      }
      case Exp.If i -> {
        exp(i.cond(), s);
        exp(i.then(), s);
        exp(i.otherwise(), s);
      }
      case Exp.Match m -> {
        exp(m.exp(), s);
        for (Exp.Case c : m.cases()) {
          exp(c.body(), with(s, names(c.pat())));
        }
      }
      case Exp.Loop l -> loop(l, s);
      case Exp.Lambda l -> {
        Scope inner = s;
        for (Pat p : l.params()) {
          inner = with(inner, names(p));
        }
        exp(l.body(), inner);
      }
      case Exp.Assert a -> {
        exp(a.cond(), s);
        exp(a.exp(), s);
      }
      case Exp.Attributed a -> {
        if (a.attr().is("break")) {
          note(a.loc(), s);
          if (definition != null) {
            breaking.add(definition);
          }
        }
        exp(a.exp(), s);
      }
    }
  }

  private @Nullable Scope binding(Exp.Binding b, @Nullable Scope s) {
    return switch (b) {
      case Exp.Binding.OfPat p -> {
        exp(p.value(), s);
        yield with(with(s, p.sizes()), names(p.pat()));
      }
      case Exp.Binding.OfFun f -> {
        definition(f.def(), s);
        yield s;
      }
    };
  }

  private void loop(Exp.Loop l, @Nullable Scope s) {
    exp(l.init(), s);
    Scope inner = with(with(s, l.loopSizes()), names(l.pat()));
    switch (l.form()) {
      case Exp.Form.For f -> {
        exp(f.bound(), s);
        inner = with(inner, List.of(f.index()));
      }
      case Exp.Form.ForIn f -> {
        exp(f.array(), s);
        inner = with(inner, names(f.pat()));
      }
      case Exp.Form.While w -> exp(w.cond(), inner);
    }
    exp(l.body(), inner);
  }

  private void dims(List<Exp.Dim> dims, @Nullable Scope s) {
    for (Exp.Dim d : dims) {
      switch (d) {
        case Exp.Dim.Fix f -> exp(f.index(), s);
        case Exp.Dim.Slice x -> {
          exp(x.start(), s);
          exp(x.end(), s);
          exp(x.stride(), s);
        }
      }
    }
  }
}
