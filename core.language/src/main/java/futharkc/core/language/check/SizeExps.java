package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Size expressions: their eligibility, free names and equality. */
final class SizeExps {
  static final Type I64 = Type.prim(PrimType.I64);

  private SizeExps() {}

  /** Returns the size that an expression denotes. */
  static Type.Size size(Exp e) {
    return switch (e) {
      case Exp.Lit l when l.prim() == PrimType.I64 -> new Type.Size.Const(l.bits());
      case Exp.Var v -> new Type.Size.Var(v.name());
      case Exp.Attributed a -> size(a.exp());
      case Exp.Assert a -> size(a.exp());
      case Exp.UnOp u
          when u.op() == Exp.Un.NEGATE
              && u.exp() instanceof Exp.Lit l
              && l.prim() == PrimType.I64 ->
          new Type.Size.Const(-l.bits());
      default -> new Type.Size.Of(e);
    };
  }

  /** Returns the expression that computes a size. */
  static Exp exp(Type.Size s, Loc loc) {
    return switch (s) {
      case Type.Size.Const c -> new Exp.Lit(PrimType.I64, c.value(), loc);
      case Type.Size.Var v -> new Exp.Var(v.name(), List.of(), List.of(), I64, loc);
      case Type.Size.Of o -> o.exp();
      case Type.Size.Any a -> throw new IllegalStateException("open size used as expression");
    };
  }

  /** Returns {@code a - b}, simplified in simple cases. */
  static Type.Size minus(Type.Size a, Type.Size b, Loc loc) {
    return size(new Exp.BinOp(Exp.Op.SUB, exp(a, loc), exp(b, loc), I64, I64, loc));
  }

  /** Returns {@code a + b}. */
  static Type.Size plus(Type.Size a, Type.Size b, Loc loc) {
    return size(new Exp.BinOp(Exp.Op.ADD, exp(a, loc), exp(b, loc), I64, I64, loc));
  }

  /** Tests whether an expression binds names. Such an expression cannot be a size. */
  static boolean hasBinding(Exp e) {
    return switch (e) {
      case Exp.Lambda l -> !isSection(l) || hasBinding(l.body());
      case Exp.Let l -> true;
      case Exp.Loop l -> true;
      case Exp.Match m -> true;
      default -> {
        boolean[] found = {false};
        children(e, c -> found[0] = found[0] || hasBinding(c));
        yield found[0];
      }
    };
  }

  /** Tests whether a function is an operator section, whose parameters have no source range. */
  private static boolean isSection(Exp.Lambda l) {
    for (Pat p : l.params()) {
      if (!(p instanceof Pat.Var) || !p.loc().equals(l.loc())) {
        return false;
      }
    }
    return true;
  }

  /** Calls the consumer on every direct subexpression of an expression without bindings. */
  static void children(Exp e, Consumer<Exp> f) {
    switch (e) {
      case Exp.Lit l -> {}
      case Exp.StringLit s -> {}
      case Exp.Var v -> {}
      case Exp.Hole h -> {}
      case Exp.Record r -> r.fields().values().forEach(f);
      case Exp.ArrayLit a -> a.elems().forEach(f);
      case Exp.Project p -> f.accept(p.exp());
      case Exp.Apply a -> {
        f.accept(a.fun());
        a.args().forEach(f);
      }
      case Exp.Constr c -> c.args().forEach(f);
      case Exp.BinOp b -> {
        f.accept(b.left());
        f.accept(b.right());
      }
      case Exp.UnOp u -> f.accept(u.exp());
      case Exp.And a -> {
        f.accept(a.left());
        f.accept(a.right());
      }
      case Exp.Or o -> {
        f.accept(o.left());
        f.accept(o.right());
      }
      case Exp.Coerce c -> f.accept(c.exp());
      case Exp.Range r -> {
        f.accept(r.start());
        if (r.second() != null) {
          f.accept(r.second());
        }
        f.accept(r.end());
      }
      case Exp.Index i -> {
        f.accept(i.array());
        i.dims().forEach(d -> dim(d, f));
      }
      case Exp.With w -> {
        f.accept(w.src());
        for (Exp.Access a : w.path()) {
          if (a instanceof Exp.Access.Elem el) {
            el.dims().forEach(d -> dim(d, f));
          }
        }
        f.accept(w.value());
      }
      case Exp.Let l -> {
        for (Exp.Binding b : l.bindings()) {
          switch (b) {
            case Exp.Binding.OfPat p -> f.accept(p.value());
            case Exp.Binding.OfFun d -> f.accept(d.def().body());
          }
        }
        f.accept(l.body());
      }
      case Exp.If i -> {
        f.accept(i.cond());
        f.accept(i.then());
        f.accept(i.otherwise());
      }
      case Exp.Match m -> {
        f.accept(m.exp());
        m.cases().forEach(c -> f.accept(c.body()));
      }
      case Exp.Loop l -> {
        f.accept(l.init());
        switch (l.form()) {
          case Exp.Form.For x -> f.accept(x.bound());
          case Exp.Form.ForIn x -> f.accept(x.array());
          case Exp.Form.While x -> f.accept(x.cond());
        }
        f.accept(l.body());
      }
      case Exp.Lambda l -> f.accept(l.body());
      case Exp.Assert a -> {
        f.accept(a.cond());
        f.accept(a.exp());
      }
      case Exp.Attributed a -> f.accept(a.exp());
    }
  }

  private static void dim(Exp.Dim d, Consumer<Exp> f) {
    switch (d) {
      case Exp.Dim.Fix x -> f.accept(x.index());
      case Exp.Dim.Slice s -> {
        if (s.start() != null) {
          f.accept(s.start());
        }
        if (s.end() != null) {
          f.accept(s.end());
        }
        if (s.stride() != null) {
          f.accept(s.stride());
        }
      }
    }
  }

  /** Adds every name in a size. */
  static void names(Type.Size s, Set<Name> into) {
    switch (s) {
      case Type.Size.Const c -> {}
      case Type.Size.Any a -> {}
      case Type.Size.Var v -> into.add(v.name());
      case Type.Size.Of o -> names(o.exp(), into);
    }
  }

  /** Adds every variable of an expression without bindings. */
  static void names(Exp e, Set<Name> into) {
    names(e, into, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  /**
   * Adds every variable of an expression. Sizes share subexpressions ({@code n + n}, where {@code
   * n} is {@code m + m}), so the set {@code seen} avoids exponential work.
   */
  private static void names(Exp e, Set<Name> into, Set<Exp> seen) {
    switch (e) {
      case Exp.Var v -> into.add(v.name());
      case Exp.Lambda l -> {
        Set<Name> inner = new LinkedHashSet<>();
        names(l.body(), inner);
        for (Pat p : l.params()) {
          if (p instanceof Pat.Var v) {
            inner.remove(v.name());
          }
        }
        into.addAll(inner);
      }
      default -> {
        if (seen.add(e)) {
          children(e, c -> names(c, into, seen));
        }
      }
    }
  }

  /** A pair of sizes that must be equal. */
  record Pair(Type.Size left, Type.Size right) {}

  /**
   * Returns the pairs of subexpressions that must be equal for two sizes with the same operators to
   * be equal. Pairs of identical subexpressions are left out. Returns null if the operators differ.
   */
  static @Nullable List<Pair> similar(Type.Size a, Type.Size b) {
    if (a.equals(b)) {
      return List.of();
    }
    if (a instanceof Type.Size.Of x && b instanceof Type.Size.Of y) {
      return similar(x.exp(), y.exp());
    }
    return null;
  }

  /** Tests whether two sizes are the same expression. */
  static boolean same(Type.Size a, Type.Size b) {
    List<Pair> parts = similar(a, b);
    if (parts == null) {
      return false;
    }
    for (Pair p : parts) {
      if (!same(p.left, p.right)) {
        return false;
      }
    }
    return true;
  }

  private static Exp strip(Exp e) {
    while (e instanceof Exp.Attributed a) {
      e = a.exp();
    }
    return e;
  }

  private static @Nullable List<Pair> similar(Exp a, Exp b) {
    a = strip(a);
    b = strip(b);
    if (a.getClass() != b.getClass()) {
      return null;
    }
    if (a instanceof Exp.Lambda x && b instanceof Exp.Lambda y) {
      return similarSections(x, y);
    }
    boolean sameHead =
        switch (a) {
          case Exp.Lit x -> x.prim() == ((Exp.Lit) b).prim() && x.bits() == ((Exp.Lit) b).bits();
          case Exp.Var x -> x.name().equals(((Exp.Var) b).name());
          case Exp.StringLit x -> java.util.Arrays.equals(x.bytes(), ((Exp.StringLit) b).bytes());
          case Exp.Hole x -> false;
          case Exp.Record x -> x.fields().keySet().equals(((Exp.Record) b).fields().keySet());
          case Exp.ArrayLit x -> x.elems().size() == ((Exp.ArrayLit) b).elems().size();
          case Exp.Project x -> x.field().equals(((Exp.Project) b).field());
          case Exp.Apply x -> x.args().size() == ((Exp.Apply) b).args().size();
          case Exp.Constr x ->
              x.name().equals(((Exp.Constr) b).name())
                  && x.args().size() == ((Exp.Constr) b).args().size();
          case Exp.BinOp x -> x.op() == ((Exp.BinOp) b).op();
          case Exp.UnOp x -> x.op() == ((Exp.UnOp) b).op();
          case Exp.And x -> true;
          case Exp.Or x -> true;
          case Exp.Coerce x -> true;
          case Exp.Range x ->
              x.kind() == ((Exp.Range) b).kind()
                  && (x.second() == null) == (((Exp.Range) b).second() == null);
          case Exp.Index x -> sameDims(x.dims(), ((Exp.Index) b).dims());
          case Exp.With x -> false;
          case Exp.If x -> true;
          case Exp.Assert x -> true;
          case Exp.Let x -> false;
          case Exp.Match x -> false;
          case Exp.Loop x -> false;
          case Exp.Lambda x -> false;
          case Exp.Attributed x -> true;
        };
    if (!sameHead) {
      return null;
    }
    List<Exp> left = new ArrayList<>();
    List<Exp> right = new ArrayList<>();
    children(a, left::add);
    children(b, right::add);
    if (left.size() != right.size()) {
      return null;
    }
    List<Pair> pairs = new ArrayList<>(left.size());
    Iterator<Exp> r = right.iterator();
    for (Exp l : left) {
      pairs.add(new Pair(size(l), size(r.next())));
    }
    return pairs;
  }

  private static @Nullable List<Pair> similarSections(Exp.Lambda a, Exp.Lambda b) {
    if (!isSection(a) || !isSection(b) || a.params().size() != b.params().size()) {
      return null;
    }
    Map<Name, Name> params = new HashMap<>();
    for (int i = 0; i < a.params().size(); i++) {
      params.put(((Pat.Var) b.params().get(i)).name(), ((Pat.Var) a.params().get(i)).name());
    }
    Exp body =
        new Mapper() {
          @Override
          Exp var(Exp.Var v) {
            Name n = params.get(v.name());
            return n == null ? v : new Exp.Var(n, v.sizeArgs(), v.typeArgs(), v.type(), v.loc());
          }

          @Override
          Type annotation(Type t) {
            return t;
          }
        }.exp(b.body());
    return List.of(new Pair(size(a.body()), size(body)));
  }

  private static boolean sameDims(List<Exp.Dim> a, List<Exp.Dim> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (a.get(i) instanceof Exp.Dim.Slice x && b.get(i) instanceof Exp.Dim.Slice y) {
        if ((x.start() == null) != (y.start() == null)
            || (x.end() == null) != (y.end() == null)
            || (x.stride() == null) != (y.stride() == null)) {
          return false;
        }
      } else if (a.get(i).getClass() != b.get(i).getClass()) {
        return false;
      }
    }
    return true;
  }
}
