package futharkc.core.language.lower;

import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sizes of expressions and the names that they mention, including names that they bind. */
final class ExpressionStatistics {
  private final Map<Object, ExpressionStatistics> cache;
  private final Map<Name, Integer> names = new LinkedHashMap<>();
  private int size;

  private ExpressionStatistics(Map<Object, ExpressionStatistics> cache) {
    this.cache = cache;
  }

  /** Returns an empty object, on which {@link #take} computes and caches other statistics. */
  static ExpressionStatistics empty() {
    return new ExpressionStatistics(new IdentityHashMap<>());
  }

  /** Returns the statistics of a definition's parameters, result and body. */
  ExpressionStatistics take(ValDef def) {
    ExpressionStatistics known = cache.get(def);
    if (known != null) {
      return known;
    }
    ExpressionStatistics c = new ExpressionStatistics(cache);
    c.def(def);
    cache.put(def, c);
    return c;
  }

  /** Returns the statistics of a function expression. */
  ExpressionStatistics take(Exp.Lambda lambda) {
    ExpressionStatistics known = cache.get(lambda);
    if (known != null) {
      return known;
    }
    ExpressionStatistics c = new ExpressionStatistics(cache);
    c.exp(lambda);
    cache.put(lambda, c);
    return c;
  }

  /** Returns the statistics of a type. */
  ExpressionStatistics take(Type type) {
    ExpressionStatistics known = cache.get(type);
    if (known != null) {
      return known;
    }
    ExpressionStatistics c = new ExpressionStatistics(cache);
    c.type(type);
    cache.put(type, c);
    return c;
  }

  /** Returns the names, in order of first occurrence. */
  Set<Name> names() {
    return names.keySet();
  }

  /** Returns the number of occurrences of a name. */
  int count(Name n) {
    return names.getOrDefault(n, 0);
  }

  /** Returns the number of expressions. */
  int size() {
    return size;
  }

  private void def(ValDef d) {
    d.params().forEach(this::pat);
    type(d.result().type());
    exp(d.body());
  }

  private void exps(List<Exp> es) {
    es.forEach(this::exp);
  }

  private void exp(@Nullable Exp start) {
    Exp e = start;
    while (e != null) {
      size++;
      Exp next = null;
      switch (e) {
        case Exp.Lit l -> {}
        case Exp.StringLit l -> {}
        case Exp.Var v -> {
          names.merge(v.name(), 1, Integer::sum);
          v.sizeArgs().forEach(this::size);
          v.typeArgs().forEach(this::type);
        }
        case Exp.Hole h -> type(h.type());
        case Exp.Record r -> r.fields().values().forEach(this::exp);
        case Exp.ArrayLit a -> {
          type(a.type());
          exps(a.elems());
        }
        case Exp.Project p -> next = p.exp();
        case Exp.Apply a -> {
          exps(a.args());
          type(a.type());
          next = a.fun();
        }
        case Exp.Constr c -> {
          type(c.type());
          exps(c.args());
        }
        case Exp.BinOp b -> {
          exp(b.right());
          next = b.left();
        }
        case Exp.UnOp u -> next = u.exp();
        case Exp.And a -> {
          exp(a.right());
          next = a.left();
        }
        case Exp.Or o -> {
          exp(o.right());
          next = o.left();
        }
        case Exp.Coerce c -> {
          type(c.type());
          next = c.exp();
        }
        case Exp.Range r -> {
          exp(r.start());
          exp(r.second());
          next = r.end();
        }
        case Exp.Index i -> {
          dims(i.dims());
          next = i.array();
        }
        case Exp.With w -> {
          for (Exp.Access a : w.path()) {
            if (a instanceof Exp.Access.Elem x) {
              dims(x.dims());
            }
          }
          exp(w.value());
          next = w.src();
        }
        case Exp.Let l -> {
          for (Exp.Binding b : l.bindings()) {
            switch (b) {
              case Exp.Binding.OfPat p -> {
                pat(p.pat());
                exp(p.value());
              }
              case Exp.Binding.OfFun x -> def(x.def());
            }
          }
          type(l.type());
          next = l.body();
        }
        case Exp.If i -> {
          exp(i.cond());
          exp(i.then());
          type(i.type());
          next = i.otherwise();
        }
        case Exp.Match m -> {
          for (Exp.Case c : m.cases()) {
            pat(c.pat());
            exp(c.body());
          }
          type(m.type());
          next = m.exp();
        }
        case Exp.Loop l -> {
          pat(l.pat());
          exp(l.init());
          switch (l.form()) {
            case Exp.Form.For x -> exp(x.bound());
            case Exp.Form.ForIn x -> {
              pat(x.pat());
              exp(x.array());
            }
            case Exp.Form.While x -> exp(x.cond());
          }
          type(l.type());
          next = l.body();
        }
        case Exp.Lambda l -> {
          l.params().forEach(this::pat);
          next = l.body();
        }
        case Exp.Assert a -> {
          exp(a.cond());
          next = a.exp();
        }
        case Exp.Attributed a -> next = a.exp();
      }
      e = next;
    }
  }

  private void dims(List<Exp.Dim> dims) {
    for (Exp.Dim d : dims) {
      switch (d) {
        case Exp.Dim.Fix f -> exp(f.index());
        case Exp.Dim.Slice s -> {
          exp(s.start());
          exp(s.end());
          exp(s.stride());
        }
      }
    }
  }

  private void pat(Pat p) {
    switch (p) {
      case Pat.Var v -> type(v.type());
      case Pat.Wildcard w -> type(w.type());
      case Pat.Record r -> r.fields().values().forEach(this::pat);
      case Pat.Literal l -> {}
      case Pat.Constr c -> c.payload().forEach(this::pat);
    }
  }

  private void type(Type t) {
    switch (t) {
      case Type.Prim p -> {}
      case Type.Array a -> {
        size(a.size());
        type(a.elem());
      }
      case Type.Record r -> r.fields().values().forEach(this::type);
      case Type.Sum s -> s.variants().values().forEach(ts -> ts.forEach(this::type));
      case Type.Fun f -> {
        type(f.from());
        type(f.result().type());
      }
      case Type.Named n -> {
        names.merge(n.name(), 1, Integer::sum);
        for (Type.Arg a : n.args()) {
          switch (a) {
            case Type.Arg.OfSize s -> size(s.size());
            case Type.Arg.OfType x -> type(x.type());
          }
        }
      }
      case MetaType m -> {
        if (m.solution != null) {
          type(m.solution);
        }
      }
    }
  }

  private void size(Type.Size s) {
    switch (s) {
      case Type.Size.Const c -> {}
      case Type.Size.Var v -> names.merge(v.name(), 1, Integer::sum);
      case Type.Size.Of e -> exp(e.exp());
      case Type.Size.Any a -> {}
    }
  }
}
