package futharkc.core.ir.imperative;

import futharkc.core.ir.Poly;
import java.util.List;
import java.util.Set;

/** Upper estimates of the size of statements in bytes of JVM bytecode. */
public final class CodeSize {
  private CodeSize() {}

  /** Returns the total size of statements in one method. */
  public static int of(List<Code> code) {
    long sum = 0;
    for (Code c : code) {
      sum += of(c);
    }
    return (int) Math.min(sum, Integer.MAX_VALUE);
  }

  private static int poly(Poly p) {
    int sum = 3;
    for (Poly.Product t : p.terms().keySet()) {
      sum += 5 + 8 * t.factors().size();
    }
    return sum;
  }

  private static int of(Expr e) {
    return switch (e) {
      case Expr.Const c -> 4;
      case Expr.Var v -> 5;
      case Expr.Index i -> poly(i.poly());
      case Expr.Binary b -> 10 + of(b.left()) + of(b.right());
      case Expr.Unary u -> 10 + of(u.operand());
      case Expr.Compare c -> 12 + of(c.left()) + of(c.right());
      case Expr.Convert c -> 12 + of(c.operand());
      case Expr.Apply a -> {
        int sum = 4;
        for (Expr arg : a.args()) {
          sum += of(arg);
        }
        yield sum;
      }
      case Expr.Load l -> 5 + poly(l.index());
      case Expr.Capacity c -> 5;
      case Expr.Tuning t -> 12;
    };
  }

  /** Returns the size of a statement, including nested statements in the same method. */
  public static int of(Code code) {
    long sum = alone(code);
    for (List<Code> body : inside(code)) {
      sum += of(body);
    }
    return (int) Math.min(sum, Integer.MAX_VALUE);
  }

  /** Returns the nested statements that belong to the same method. */
  public static List<List<Code>> inside(Code code) {
    return switch (code) {
      case Code.Outlined o -> List.of();
      case Code.VectorLoop l -> List.of(l.rest());
      case Code.Parallel p -> List.of();
      case Code.ChainedScan s -> List.of();
      case Code.Gpu g -> List.of();
      case Code.Compound c -> c.bodies();
      case Code.Simple c -> List.of();
    };
  }

  /** Returns the size of a statement without those {@link #inside} it. */
  public static int alone(Code code) {
    return switch (code) {
      case Code.Declare d -> 4 + (d.value() == null ? 4 : of(d.value()));
      case Code.Assign a -> 4 + of(a.value());
      case Code.DeclareBlock d -> 8;
      case Code.SetBlock s -> 8;
      case Code.Alloc a -> 16 + of(a.size());
      case Code.DeclareScratch d -> 8;
      case Code.Reserve r -> 36 + 2 * of(r.size());
      case Code.Free f -> 16 + 12 * f.unless().size();
      case Code.IfUnused i -> 8 + 12 * i.inUse().size();
      case Code.ConstantBlock c -> 8;
      case Code.Pin p -> 16;
      case Code.Store s -> 6 + poly(s.index()) + of(s.value());
      case Code.CopyRun c -> 12 + poly(c.toAt()) + poly(c.fromAt()) + of(c.count());
      case Code.FillRun f -> 12 + 2 * poly(f.at()) + of(f.count()) + of(f.value());
      case Code.MapRun m -> 12 + of(m.count());
      case Code.If i -> 12 + of(i.cond());
      case Code.For f -> 80 + of(f.from()) + of(f.to());
      case Code.While w -> 30;
      case Code.Scope s -> 0;
      case Code.Outlined o -> 80;
      case Code.Assert a -> 40 + of(a.cond()) + message(a.message());
      case Code.VectorLoop l ->
          120 + of(l.from()) + of(l.to()) + 5 * Variables.usedBy(l.body(), Set.of()).size();
      case Code.DeclareLanes d -> 8 + 2 * (d.value() == null ? 4 : of(d.value()));
      case Code.AssignLanes a -> 16 + 2 * of(a.value());
      case Code.StoreLanes s -> 12 + poly(s.index()) + 2 * of(s.value());
      case Code.AnyLane a -> 8;
      case Code.CheckCancelled c -> 15;
      case Code.Trace t -> 22 + message(t.message());
      case Code.Call c -> 20 + 10 * c.args().size() + 10 * c.targets().size();
      case Code.ChunkCount c -> 20 + of(c.total()) + 2 * poly(c.cost());
      case Code.RegionTime r -> 20 + of(r.total()) + 2 * poly(r.cost());
      case Code.ThreadCount t -> 12;
      case Code.Parallel p -> 60 + 10 * Variables.usedBy(p.body(), Set.of()).size();
      case Code.ChainedScan s ->
          60
              + 10
                  * Variables.usedBy(
                          List.of(
                              new Code.Scope(s.reduce()),
                              new Code.Scope(s.combine()),
                              new Code.Scope(s.scan())),
                          Set.of())
                      .size();
      case Code.Locked l -> 40 + of(l.key());
      case Code.Launch l -> 150 + 15 * Variables.usedBy(l.body(), Set.of()).size();
      case Code.AskElement a -> 30;
      case Code.AwaitElements r -> 20 + 30 * r.elements().size();
      case Code.WriteElement w -> 30 + 2 * poly(w.index()) + of(w.value());
      case Code.OnCopies c -> 60 + 40 * c.copies().size();
      case Code.GetSize g -> 12;
      case Code.GetSizeMax g -> 12;
      case Code.CompareSize c -> 20 + of(c.value());
      case Code.Kernel k -> 0;
    };
  }

  private static int message(List<Code.MessagePart> parts) {
    int sum = 0;
    for (Code.MessagePart m : parts) {
      sum += m instanceof Code.MessagePart.Value v ? 16 + of(v.value()) : 8;
    }
    return sum;
  }
}
