package futharkc.core.ir.imperative;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A traversal that collects the variables that code uses but does not declare, in order of first
 * use.
 */
public final class Variables {
  private final Map<Name, Code.Variable> used = new LinkedHashMap<>();
  private final Set<Name> declared = new HashSet<>();
  private final Set<Name> assigned = new HashSet<>();
  private final Set<Name> read = new HashSet<>();

  private Variables() {}

  /**
   * Returns the free variables of statements.
   *
   * @param declared further names to exclude
   */
  public static Collection<Code.Variable> usedBy(List<Code> code, Collection<Name> declared) {
    Variables v = new Variables();
    v.declared.addAll(declared);
    v.all(code);
    return v.used.values();
  }

  /**
   * Returns the free variables of statements followed by operands.
   *
   * @param declared further names to exclude
   */
  public static Collection<Code.Variable> usedBy(
      List<Code> code, List<Code.Operand> operands, Collection<Name> declared) {
    Variables v = new Variables();
    v.declared.addAll(declared);
    v.all(code);
    operands.forEach(v::operand);
    return v.used.values();
  }

  /** Returns the names that statements assign or set, at any depth. */
  public static Set<Name> assignedBy(List<Code> code) {
    Variables v = new Variables();
    v.all(code);
    return v.assigned;
  }

  /** Returns the names that statements read, at any depth, and do not declare. */
  public static Set<Name> readBy(List<Code> code) {
    Variables v = new Variables();
    v.all(code);
    return v.read;
  }

  /** Returns the names of variables in operands. */
  public static Set<Name> in(List<Code.Operand> operands) {
    Variables v = new Variables();
    operands.forEach(v::operand);
    return v.read;
  }

  /**
   * Returns the variables that the statements themselves declare, without those of nested
   * statements.
   */
  public static List<Code.Variable> declaredBy(List<Code> code) {
    List<Code.Variable> found = new ArrayList<>();
    for (Code c : code) {
      found.addAll(declaredBy(c));
    }
    return found;
  }

  /** Returns the variables that a statement declares for the statements after it. */
  public static List<Code.Variable> declaredBy(Code code) {
    return switch (code) {
      case Code.Declare d -> List.of(Code.Variable.scalar(d.name(), d.type()));
      case Code.DeclareBlock d -> List.of(Code.Variable.block(d.block(), d.elem()));
      case Code.Alloc a -> List.of(Code.Variable.block(a.block(), a.elem()));
      case Code.DeclareScratch d -> List.of(Code.Variable.block(d.block(), d.elem()));
      case Code.ConstantBlock b -> List.of(Code.Variable.block(b.block(), b.elem()));
      case Code.Call call -> call.targets();
      case Code.ChunkCount n -> List.of(Code.Variable.scalar(n.chunks(), PrimType.I64));
      case Code.RegionTime r -> List.of(Code.Variable.scalar(r.time(), PrimType.I64));
      case Code.ThreadCount n -> List.of(Code.Variable.scalar(n.threads(), PrimType.I64));
      case Code.Compound c -> List.of();
      case Code.Assign a -> List.of();
      case Code.SetBlock s -> List.of();
      case Code.Reserve r -> List.of();
      case Code.Free f -> List.of();
      case Code.Pin p -> List.of();
      case Code.Store s -> List.of();
      case Code.CopyRun c -> List.of();
      case Code.FillRun f -> List.of();
      case Code.MapRun m -> List.of();
      case Code.Assert a -> List.of();
      case Code.CheckCancelled c -> List.of();
      case Code.Trace t -> List.of();
      case Code.DeclareLanes d -> List.of(Code.Variable.scalar(d.name(), d.type()));
      case Code.AssignLanes a -> List.of();
      case Code.StoreLanes s -> List.of();
      case Code.AnyLane a -> List.of();
      case Code.AskElement a -> List.of(a.variable());
      case Code.AwaitElements r ->
          r.elements().stream().map(Code.AwaitedElement::variable).toList();
      case Code.GetSize g -> List.of(Code.Variable.scalar(g.target(), PrimType.I64));
      case Code.GetSizeMax g -> List.of(Code.Variable.scalar(g.target(), PrimType.I64));
      case Code.CompareSize c -> List.of(Code.Variable.scalar(c.target(), PrimType.BOOL));
      case Code.Private p -> List.of(Code.Variable.block(p.block(), p.elem()));
      case Code.DeclarePointer d -> List.of(Code.Variable.block(d.block(), d.elem()));
      case Code.Atomic a -> List.of(Code.Variable.scalar(a.old(), a.elem()));
      case Code.CompareAndSet c -> List.of(Code.Variable.scalar(c.old(), c.elem()));
      case Code.VolatileLoad l -> List.of(Code.Variable.scalar(l.target(), l.elem()));
      case Code.VolatileStore s -> List.of();
      case Code.WriteElement w -> List.of();
      case Code.Barrier b -> List.of();
      case Code.Fence f -> List.of();
      case Code.Shuffle s -> List.of(Code.Variable.scalar(s.target(), s.elem()));
      case Code.LeaveIfFailed l -> List.of();
      case Code.SineAndCosine s ->
          List.of(
              Code.Variable.scalar(s.sine(), s.type()), Code.Variable.scalar(s.cosine(), s.type()));
    };
  }

  private void all(List<Code> code) {
    for (Code c : code) {
      one(c);
    }
  }

  private void scalar(Name n, PrimType t) {
    read(new Code.Variable(n, t, false));
  }

  private void block(Name n, PrimType t) {
    read(new Code.Variable(n, t, true));
  }

  private void read(Code.Variable v) {
    if (declared.contains(v.name())) {
      return;
    }
    used.putIfAbsent(v.name(), v);
    read.add(v.name());
  }

  private void assigned(Code.Variable v) {
    if (!declared.contains(v.name())) {
      used.putIfAbsent(v.name(), v);
    }
    assigned.add(v.name());
  }

  private void poly(Poly p) {
    for (Name n : p.names()) {
      scalar(n, PrimType.I64);
    }
  }

  private void expr(Expr e) {
    switch (e) {
      case Expr.Const c -> {}
      case Expr.Var v -> scalar(v.name(), v.type());
      case Expr.Index i -> poly(i.poly());
      case Expr.Binary b -> {
        expr(b.left());
        expr(b.right());
      }
      case Expr.Unary u -> expr(u.operand());
      case Expr.Compare c -> {
        expr(c.left());
        expr(c.right());
      }
      case Expr.Convert c -> expr(c.operand());
      case Expr.Apply a -> a.args().forEach(this::expr);
      case Expr.Load l -> {
        block(l.block(), l.type());
        poly(l.index());
      }
      case Expr.Capacity c -> block(c.block(), c.elem());
      case Expr.Tuning t -> expr(t.defaultValue());
    }
  }

  private void mask(@Nullable Name mask) {
    if (mask != null) {
      scalar(mask, PrimType.BOOL);
    }
  }

  private void operator(ReductionOperator o) {
    o.accumulators().forEach(v -> scalar(v.name(), v.type()));
    o.neutral().forEach(this::expr);
    declared.addAll(o.left());
    declared.addAll(o.right());
    all(o.body());
    o.results().forEach(this::expr);
  }

  private void operand(Code.Operand o) {
    switch (o) {
      case Code.Operand.Scalar s -> expr(s.value());
      case Code.Operand.Block b -> block(b.name(), b.elem());
    }
  }

  private void one(Code code) {
    switch (code) {
      case Code.Declare d -> {
        if (d.value() != null) {
          expr(d.value());
        }
        declared.add(d.name());
      }
      case Code.Assign a -> {
        expr(a.value());
        assigned(new Code.Variable(a.name(), a.value().type(), false));
      }
      case Code.DeclareBlock d -> {
        if (d.value() != null) {
          block(d.value(), d.elem());
        }
        declared.add(d.block());
      }
      case Code.SetBlock s -> {
        block(s.value(), s.elem());
        assigned(new Code.Variable(s.block(), s.elem(), true));
      }
      case Code.Alloc a -> {
        expr(a.size());
        declared.add(a.block());
      }
      case Code.DeclareScratch d -> declared.add(d.block());
      case Code.Reserve r -> {
        expr(r.size());
        block(r.block(), r.elem());
        assigned.add(r.block());
      }
      case Code.Free f -> {
        block(f.block(), f.elem());
        for (Name n : f.unless()) {
          block(n, f.elem());
        }
      }
      case Code.IfUnused i -> {
        block(i.block(), i.elem());
        for (Name n : i.inUse()) {
          block(n, i.elem());
        }
        all(i.then());
        all(i.otherwise());
      }
      case Code.ConstantBlock c -> declared.add(c.block());
      case Code.Pin p -> block(p.block(), p.elem());
      case Code.Store s -> {
        block(s.block(), s.elem());
        poly(s.index());
        expr(s.value());
      }
      case Code.CopyRun c -> {
        block(c.to(), c.elem());
        poly(c.toAt());
        block(c.from(), c.elem());
        poly(c.fromAt());
        expr(c.count());
      }
      case Code.FillRun f -> {
        block(f.block(), f.elem());
        poly(f.at());
        expr(f.count());
        expr(f.value());
      }
      case Code.MapRun m -> {
        block(m.to(), m.fun().type());
        block(m.from(), m.fun().type());
        expr(m.count());
      }
      case Code.If i -> {
        expr(i.cond());
        all(i.then());
        all(i.otherwise());
      }
      case Code.For f -> {
        expr(f.from());
        expr(f.to());
        declared.add(f.index());
        all(f.body());
        if (f.order() instanceof Code.Order.Sequential o) {
          o.operators().forEach(this::operator);
        }
      }
      case Code.While w -> {
        scalar(w.cond(), PrimType.BOOL);
        all(w.body());
      }
      case Code.Scope s -> all(s.body());
      case Code.Outlined o -> all(o.body());
      case Code.Assert a -> {
        expr(a.cond());
        message(a.message());
      }
      case Code.CheckCancelled c -> {}
      case Code.Trace t -> message(t.message());
      case Code.Call c -> {
        c.args().forEach(this::operand);
        c.targets().forEach(v -> declared.add(v.name()));
      }
      case Code.ChunkCount c -> {
        expr(c.total());
        poly(c.cost());
        declared.add(c.chunks());
      }
      case Code.RegionTime r -> {
        expr(r.total());
        poly(r.cost());
        declared.add(r.time());
      }
      case Code.ThreadCount t -> declared.add(t.threads());
      case Code.Parallel p -> {
        expr(p.total());
        expr(p.chunks());
        declared.addAll(List.of(p.chunk(), p.from(), p.to()));
        all(p.body());
      }
      case Code.ChainedScan s -> {
        expr(s.total());
        expr(s.chunks());
        declared.addAll(List.of(s.chunk(), s.from(), s.to()));
        all(s.reduce());
        all(s.combine());
        all(s.scan());
      }
      case Code.Locked l -> {
        expr(l.key());
        all(l.body());
      }
      case Code.VectorLoop l -> {
        expr(l.from());
        expr(l.to());
        declared.addAll(List.of(l.done(), l.index()));
        all(l.body());
        all(l.rest());
      }
      case Code.DeclareLanes d -> {
        if (d.value() != null) {
          expr(d.value());
        }
        declared.add(d.name());
      }
      case Code.AssignLanes a -> {
        expr(a.value());
        mask(a.mask());
        if (a.mask() != null) {
          scalar(a.name(), a.value().type());
        }
        assigned(new Code.Variable(a.name(), a.value().type(), false));
      }
      case Code.StoreLanes s -> {
        block(s.block(), s.elem());
        poly(s.index());
        expr(s.value());
        mask(s.mask());
      }
      case Code.AnyLane a -> {
        mask(a.mask());
        assigned(new Code.Variable(a.name(), PrimType.BOOL, false));
      }
      case Code.Launch l -> {
        expr(l.blocks());
        expr(l.threads());
        for (Code.Dimension d : l.space()) {
          poly(d.extent());
        }
        for (Code.Shared s : l.shared()) {
          expr(s.bytes());
        }
        declared.addAll(l.bound());
        all(l.body());
      }
      case Code.AskElement a -> {
        block(a.block(), a.elem());
        poly(a.index());
        declared.add(a.request());
      }
      case Code.AwaitElements r -> {
        for (Code.AwaitedElement e : r.elements()) {
          scalar(e.request(), Code.AskElement.REQUEST);
          declared.add(e.target());
        }
      }
      case Code.WriteElement w -> {
        block(w.block(), w.elem());
        poly(w.index());
        expr(w.value());
      }
      case Code.OnCopies c -> {
        for (Code.HostCopy h : c.copies()) {
          block(h.block(), PrimType.I8);
          declared.add(h.copy());
        }
        all(c.body());
      }
      case Code.GetSize g -> declared.add(g.target());
      case Code.GetSizeMax g -> declared.add(g.target());
      case Code.CompareSize c -> {
        expr(c.value());
        declared.add(c.target());
      }
      case Code.Private p -> declared.add(p.block());
      case Code.DeclarePointer d -> {
        if (d.value() != null) {
          block(d.value(), d.elem());
        }
        poly(d.offset());
        declared.add(d.block());
      }
      case Code.Barrier b -> {}
      case Code.Fence f -> {}
      case Code.Shuffle s -> {
        expr(s.value());
        expr(s.distance());
        declared.add(s.target());
      }
      case Code.Atomic a -> {
        block(a.block(), a.elem());
        poly(a.index());
        expr(a.operand());
        declared.add(a.old());
      }
      case Code.CompareAndSet c -> {
        block(c.block(), c.elem());
        poly(c.index());
        expr(c.expected());
        expr(c.value());
        declared.add(c.old());
      }
      case Code.VolatileLoad l -> {
        block(l.block(), l.elem());
        poly(l.index());
        declared.add(l.target());
      }
      case Code.VolatileStore s -> {
        block(s.block(), s.elem());
        poly(s.index());
        expr(s.value());
      }
      case Code.Strided s -> {
        expr(s.from());
        expr(s.to());
        expr(s.step());
        declared.add(s.index());
        all(s.body());
      }
      case Code.Attempt a -> all(a.body());
      case Code.LeaveIfFailed l -> {}
      case Code.SineAndCosine s -> {
        expr(s.operand());
        declared.addAll(List.of(s.sine(), s.cosine()));
      }
    }
  }

  private void message(List<Code.MessagePart> parts) {
    for (Code.MessagePart m : parts) {
      if (m instanceof Code.MessagePart.Value v) {
        expr(v.value());
      }
    }
  }
}
