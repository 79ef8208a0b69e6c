package futharkc.core.codegen.lower;

import futharkc.core.codegen.Code;
import futharkc.core.codegen.Expr;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs several iterations of a parallel loop side by side where each has an inner loop that carries
 * scalars: such a chain waits for its own results, and several of them fill that time; what they
 * load in common is loaded once. Loops with divisions or functions of floats stay: they wait for
 * the units that compute these. So do those with conditionals.
 */
final class Interleaving {
  /** How many iterations run side by side. */
  private static final int WIDTH = 4;

  /** The most statements of an iteration. */
  private static final int LARGEST = 320;

  /** The most statements of an inner loop: what they hold has to fit in registers. */
  private static final int LARGEST_INNER = 48;

  private final Predicate<Name> isPrivate;
  private final Set<Name> declared = new HashSet<>();
  private boolean carries;
  private int statements;

  private Interleaving(Predicate<Name> isPrivate) {
    this.isPrivate = isPrivate;
  }

  /**
   * Writes a loop whose iterations are independent of each other.
   *
   * @param isPrivate whether a block is for one iteration at a time
   */
  static void write(Code.For loop, Predicate<Name> isPrivate, NameSource names, List<Code> out) {
    Interleaving x = new Interleaving(isPrivate);
    x.declared.add(loop.index());
    if (loop.type() != PrimType.I64
        || !x.fits(loop.body(), false)
        || !x.carries
        || x.statements > LARGEST) {
      out.add(loop);
      return;
    }
    Poly from = poly(loop.from());
    Poly to = poly(loop.to());
    if (from == null || to == null) {
      out.add(loop);
      return;
    }
    Name groups = names.fresh("groups");
    Name group = names.fresh("group");
    Expr quarter = Expr.binary(BinOp.Kind.ASHR, new Expr.Index(to.minus(from)), Expr.i64(2));
    out.add(
        new Code.Declare(groups, PrimType.I64, Expr.binary(BinOp.Kind.SMAX, Expr.i64(0), quarter)));
    x.declared.remove(loop.index());
    List<Map<Name, Poly>> copies = new ArrayList<>();
    for (int k = 0; k < WIDTH; k++) {
      Map<Name, Poly> copy = new HashMap<>();
      for (Name n : x.declared) copy.put(n, Poly.of(k == 0 ? n : names.fresh(n)));
      copy.put(loop.index(), from.plus(Poly.of(group).times(WIDTH)).plus(Poly.of(k)));
      copies.add(copy);
    }
    out.add(
        new Code.For(
            group, PrimType.I64, Expr.i64(0), Expr.i64(groups), sideBySide(loop.body(), copies)));
    List<Map<Name, Poly>> last = List.of(fresh(x.declared, names));
    out.add(
        new Code.For(
            loop.index(),
            PrimType.I64,
            new Expr.Index(from.plus(Poly.of(groups).times(WIDTH))),
            loop.to(),
            sideBySide(loop.body(), last)));
  }

  static Map<Name, Poly> fresh(Set<Name> declared, NameSource names) {
    Map<Name, Poly> copy = new HashMap<>();
    for (Name n : declared) copy.put(n, Poly.of(names.fresh(n)));
    return copy;
  }

  static @Nullable Poly poly(Expr e) {
    return switch (e) {
      case Expr.Index i -> i.poly();
      case Expr.Var v -> Poly.of(v.name());
      case Expr.Const c -> Poly.of(c.value().asLong());
      default -> null;
    };
  }

  // What can be interleaved

  private boolean fits(List<Code> code, boolean inLoop) {
    for (Code c : code) {
      statements++;
      boolean ok =
          switch (c) {
            case Code.Declare d -> {
              declared.add(d.name());
              yield d.value() == null || fits(d.value(), inLoop);
            }
            case Code.Assign a -> {
              carries |= inLoop;
              yield declared.contains(a.name()) && fits(a.value(), inLoop);
            }
            case Code.Store s -> !isPrivate.test(s.block()) && fits(s.value(), inLoop);
            case Code.For f ->
                !inLoop
                    && f.body().size() <= LARGEST_INNER
                    && isFixed(f.from())
                    && isFixed(f.to())
                    && fits(f.body(), true);
            default -> false;
          };
      if (!ok) return false;
    }
    return true;
  }

  /** Whether a bound is the same in all iterations, so far. */
  private boolean isFixed(Expr e) {
    Poly p = poly(e);
    if (p == null) return false;
    for (Poly.Product t : p.terms().keySet())
      for (Name n : t.factors()) if (declared.contains(n)) return false;
    return true;
  }

  private boolean fits(Expr e, boolean inLoop) {
    return switch (e) {
      case Expr.Const c -> true;
      case Expr.Var v -> true;
      case Expr.Index i -> true;
      case Expr.Binary b ->
          !(inLoop && isSlow(b.op().kind())) && fits(b.left(), inLoop) && fits(b.right(), inLoop);
      case Expr.Unary u -> fits(u.operand(), inLoop);
      case Expr.Compare c -> fits(c.left(), inLoop) && fits(c.right(), inLoop);
      case Expr.Convert c -> fits(c.operand(), inLoop);
      case Expr.Apply a -> !inLoop && a.args().stream().allMatch(x -> fits(x, false));
      case Expr.Load l -> !isPrivate.test(l.block());
      case Expr.Tuning t -> false;
    };
  }

  private static boolean isSlow(BinOp.Kind kind) {
    return kind == BinOp.Kind.FDIV || kind == BinOp.Kind.FMOD || kind == BinOp.Kind.FPOW;
  }

  // Copies

  static List<Code> sideBySide(List<Code> code, List<Map<Name, Poly>> copies) {
    List<Code> out = new ArrayList<>();
    for (Code c : code) {
      if (c instanceof Code.For f) {
        out.add(new Code.For(f.index(), f.type(), f.from(), f.to(), sideBySide(f.body(), copies)));
        continue;
      }
      for (Map<Name, Poly> copy : copies) out.add(one(c, copy));
    }
    return out;
  }

  private static Code one(Code code, Map<Name, Poly> copy) {
    return switch (code) {
      case Code.Declare d -> {
        Expr value = d.value();
        yield new Code.Declare(
            name(d.name(), copy), d.type(), value == null ? null : expr(value, copy));
      }
      case Code.Assign a -> new Code.Assign(name(a.name(), copy), expr(a.value(), copy));
      case Code.Store s ->
          new Code.Store(s.block(), s.elem(), index(s.index(), copy), expr(s.value(), copy));
      default -> throw new IllegalStateException("cannot be copied: " + code);
    };
  }

  static Name name(Name n, Map<Name, Poly> copy) {
    Poly p = copy.get(n);
    if (p == null) return n;
    for (Poly.Product t : p.terms().keySet()) {
      if (p.terms().size() == 1 && t.factors().size() == 1) return t.factors().get(0);
    }
    return n;
  }

  private static Poly index(Poly p, Map<Name, Poly> copy) {
    return p.substitute(n -> copy.getOrDefault(n, Poly.of(n)));
  }

  private static Expr expr(Expr e, Map<Name, Poly> copy) {
    return switch (e) {
      case Expr.Const c -> c;
      case Expr.Var v -> {
        Poly p = copy.get(v.name());
        if (p == null) yield v;
        Name n = name(v.name(), copy);
        yield p.equals(Poly.of(n)) ? new Expr.Var(n, v.type()) : new Expr.Index(p);
      }
      case Expr.Index i -> new Expr.Index(index(i.poly(), copy));
      case Expr.Binary b -> new Expr.Binary(b.op(), expr(b.left(), copy), expr(b.right(), copy));
      case Expr.Unary u -> new Expr.Unary(u.op(), expr(u.operand(), copy));
      case Expr.Compare c -> new Expr.Compare(c.op(), expr(c.left(), copy), expr(c.right(), copy));
      case Expr.Convert c -> new Expr.Convert(c.op(), expr(c.operand(), copy));
      case Expr.Apply a ->
          new Expr.Apply(a.fun(), a.args().stream().map(x -> expr(x, copy)).toList());
      case Expr.Load l -> new Expr.Load(l.block(), l.type(), index(l.index(), copy));
      case Expr.Tuning t -> t;
    };
  }
}
