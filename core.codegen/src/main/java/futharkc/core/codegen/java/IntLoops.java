package futharkc.core.codegen.java;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether an i64 loop counts offsets: some access in it depends on its index, so the index fits in
 * an int. The JVM optimises loops over ints much better.
 */
final class IntLoops {
  private final Set<Name> depends = new HashSet<>();
  private boolean found;

  private IntLoops(Name index) {
    depends.add(index);
  }

  static boolean isOverOffsets(Code.For loop) {
    IntLoops l = new IntLoops(loop.index());
    l.all(loop.body());
    return l.found;
  }

  private void all(List<Code> code) {
    for (Code c : code) if (!found) one(c);
  }

  private boolean poly(Poly p) {
    for (Poly.Product t : p.terms().keySet())
      for (Name n : t.factors()) if (depends.contains(n)) return true;
    return false;
  }

  private void access(Poly index) {
    found |= poly(index);
  }

  /** Whether a value depends on the index; looks at the accesses in it. */
  private boolean expr(Expr e) {
    return switch (e) {
      case Expr.Const c -> false;
      case Expr.Var v -> depends.contains(v.name());
      case Expr.Index i -> poly(i.poly());
      case Expr.Binary b -> expr(b.left()) | expr(b.right());
      case Expr.Unary u -> expr(u.operand());
      case Expr.Compare c -> expr(c.left()) | expr(c.right());
      case Expr.Convert c -> expr(c.operand());
      case Expr.Apply a -> {
        boolean any = false;
        for (Expr arg : a.args()) any |= expr(arg);
        yield any;
      }
      case Expr.Load l -> {
        access(l.index());
        yield false;
      }
      case Expr.Tuning t -> false;
    };
  }

  private void one(Code code) {
    switch (code) {
      case Code.Declare d -> {
        if (d.value() != null && expr(d.value())) depends.add(d.name());
      }
      case Code.Assign a -> {
        if (expr(a.value())) depends.add(a.name());
      }
      case Code.Store s -> {
        access(s.index());
        expr(s.value());
      }
      case Code.CopyRun c -> {
        access(c.toAt());
        access(c.fromAt());
      }
      case Code.FillRun f -> {
        access(f.at());
        expr(f.value());
      }
      case Code.If i -> {
        expr(i.cond());
        all(i.then());
        all(i.otherwise());
      }
      case Code.For f -> {
        if (expr(f.from())) depends.add(f.index());
        all(f.body());
      }
      case Code.While w -> all(w.body());
      case Code.Scope s -> all(s.body());
      case Code.Locked l -> all(l.body());
      case Code.Assert a -> expr(a.cond());
      case Code.Trace t -> expr(t.value());
      case Code.Alloc a -> {}
      case Code.Reserve r -> {}
      case Code.DeclareBlock d -> {}
      case Code.SetBlock s -> {}
      case Code.DeclareScratch d -> {}
      case Code.Free f -> {}
      case Code.IfUnused i -> {}
      case Code.ConstantBlock c -> {}
      case Code.Pin p -> {}
      case Code.Call c -> {}
      case Code.ChunkCount c -> {}
      case Code.ThreadCount t -> {}
      case Code.Parallel p -> {}
      case Code.ChainedScan s -> {}
    }
  }
}
