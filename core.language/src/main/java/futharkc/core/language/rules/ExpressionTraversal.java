package futharkc.core.language.rules;

import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Exp.Access;
import futharkc.core.language.typed.Exp.Binding;
import futharkc.core.language.typed.Exp.Dim;
import futharkc.core.language.typed.Pat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A traversal of every expression within an expression. Each expression precedes its
 * subexpressions, in source order. The traversal does not recurse.
 */
public final class ExpressionTraversal {
  private ExpressionTraversal() {}

  /** Visits an expression and every expression within it. */
  public static void each(Exp root, Consumer<Exp> visit) {
    walk(
        root,
        e -> {
          visit.accept(e);
          return true;
        });
  }

  /**
   * Visits each expression once, without the expressions in {@code seen}. Sizes share
   * subexpressions, so a full traversal could take exponential time.
   *
   * @param seen the set to which the visited expressions are added
   */
  static void once(Exp root, Set<Exp> seen, Consumer<Exp> visit) {
    walk(
        root,
        e -> {
          boolean isNew = seen.add(e);
          if (isNew) {
            visit.accept(e);
          }
          return isNew;
        });
  }

  private static void walk(Exp root, Predicate<Exp> enters) {
    Deque<Exp> pending = new ArrayDeque<>();
    pending.push(root);
    while (!pending.isEmpty()) {
      Exp e = pending.pop();
      if (!enters.test(e)) {
        continue;
      }
      List<Exp> parts = parts(e);
      for (int i = parts.size() - 1; i >= 0; i--) {
        pending.push(parts.get(i));
      }
    }
  }

  /** Visits a pattern and every pattern within it. */
  public static void each(Pat p, Consumer<Pat> visit) {
    visit.accept(p);
    switch (p) {
      case Pat.Var _, Pat.Wildcard _, Pat.Literal _ -> {}
      case Pat.Record r -> r.fields().values().forEach(f -> each(f, visit));
      case Pat.Constr c -> c.payload().forEach(f -> each(f, visit));
    }
  }

  /**
   * Returns the patterns that bind names in the expression itself, including parameters of local
   * functions.
   */
  public static List<Pat> patterns(Exp e) {
    return switch (e) {
      case Exp.Let l -> {
        List<Pat> pats = new ArrayList<>();
        for (Binding b : l.bindings()) {
          switch (b) {
            case Binding.OfPat p -> pats.add(p.pat());
            case Binding.OfFun f -> pats.addAll(f.def().params());
          }
        }
        yield pats;
      }
      case Exp.Match m -> m.cases().stream().map(Exp.Case::pat).toList();
      case Exp.Loop l -> {
        List<Pat> pats = new ArrayList<>();
        pats.add(l.pat());
        if (l.form() instanceof Exp.Form.ForIn f) {
          pats.add(f.pat());
        }
        yield pats;
      }
      case Exp.Lambda l -> l.params();
      case Exp.Lit _, Exp.StringLit _, Exp.Var _, Exp.Hole _, Exp.Record _, Exp.ArrayLit _ ->
          List.of();
      case Exp.Project _, Exp.Apply _, Exp.Constr _, Exp.BinOp _, Exp.UnOp _ -> List.of();
      case Exp.And _, Exp.Or _, Exp.Coerce _, Exp.Range _, Exp.Index _, Exp.With _ -> List.of();
      case Exp.If _, Exp.Assert _, Exp.Attributed _ -> List.of();
    };
  }

  private static List<Exp> parts(Exp e) {
    List<Exp> parts = new ArrayList<>();
    switch (e) {
      case Exp.Lit _, Exp.StringLit _, Exp.Var _, Exp.Hole _ -> {}
      case Exp.Record r -> {
        for (String f : r.order()) {
          Exp field = r.fields().get(f);
          if (field != null) {
            parts.add(field);
          }
        }
      }
      case Exp.ArrayLit a -> parts.addAll(a.elems());
      case Exp.Project p -> parts.add(p.exp());
      case Exp.Apply a -> {
        parts.add(a.fun());
        parts.addAll(a.args());
      }
      case Exp.Constr c -> parts.addAll(c.args());
      case Exp.BinOp b -> {
        parts.add(b.left());
        parts.add(b.right());
      }
      case Exp.UnOp u -> parts.add(u.exp());
      case Exp.And a -> {
        parts.add(a.left());
        parts.add(a.right());
      }
      case Exp.Or o -> {
        parts.add(o.left());
        parts.add(o.right());
      }
      case Exp.Coerce c -> parts.add(c.exp());
      case Exp.Range r -> {
        parts.add(r.start());
        if (r.second() != null) {
          parts.add(r.second());
        }
        parts.add(r.end());
      }
      case Exp.Index i -> {
        parts.add(i.array());
        dims(i.dims(), parts);
      }
      case Exp.With w -> {
        parts.add(w.src());
        for (Access a : w.path()) {
          switch (a) {
            case Access.Field _ -> {}
            case Access.Elem elem -> dims(elem.dims(), parts);
          }
        }
        parts.add(w.value());
      }
      case Exp.Let l -> {
        for (Binding b : l.bindings()) {
          switch (b) {
            case Binding.OfPat p -> parts.add(p.value());
            case Binding.OfFun f -> parts.add(f.def().body());
          }
        }
        parts.add(l.body());
      }
      case Exp.If i -> {
        parts.add(i.cond());
        parts.add(i.then());
        parts.add(i.otherwise());
      }
      case Exp.Match m -> {
        parts.add(m.exp());
        for (Exp.Case c : m.cases()) {
          parts.add(c.body());
        }
      }
      case Exp.Loop l -> {
        parts.add(l.init());
        switch (l.form()) {
          case Exp.Form.For f -> parts.add(f.bound());
          case Exp.Form.ForIn f -> parts.add(f.array());
          case Exp.Form.While w -> parts.add(w.cond());
        }
        parts.add(l.body());
      }
      case Exp.Lambda l -> parts.add(l.body());
      case Exp.Assert a -> {
        parts.add(a.cond());
        parts.add(a.exp());
      }
      case Exp.Attributed a -> parts.add(a.exp());
    }
    return parts;
  }

  private static void dims(List<Dim> dims, List<Exp> parts) {
    for (Dim d : dims) {
      switch (d) {
        case Dim.Fix f -> parts.add(f.index());
        case Dim.Slice s -> {
          if (s.start() != null) {
            parts.add(s.start());
          }
          if (s.end() != null) {
            parts.add(s.end());
          }
          if (s.stride() != null) {
            parts.add(s.stride());
          }
        }
      }
    }
  }
}
