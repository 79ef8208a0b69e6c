package futharkc.core.codegen.java;

import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.List;

/**
 * How often loops look whether the call has been cancelled, which is to be noticed within 100 ms
 * and to cost nothing. The JVM optimises nests of plain counting loops best: so a loop runs its
 * iterations in strips, and looks between two strips. A loop that is short by its bounds does not
 * look.
 */
final class CancellationChecks {
  /**
   * How many operations a strip may have, by how many loops with strips are nested in it: of those
   * that are innermost, few enough for their strips not to take long where other loops are around
   * them, and enough to make nothing of what is between two strips.
   */
  private static final long[] OPERATIONS = {1 << 16, 1 << 22, 1 << 24, 1 << 25};

  /** A call may hold loops that each stop just short of a look. */
  private static final Work CALL = new Work(2, 1 << 22);

  /** A run of unknown length. */
  private static final Work RUN = new Work(1, 1 << 14);

  private static final Work NONE = new Work(0, 0);

  private CancellationChecks() {}

  /**
   * What code may do between two looks.
   *
   * @param nested how many loops with strips are nested in each other in it
   * @param operations at the most, roughly
   */
  private record Work(int nested, long operations) {
    Work plus(Work other) {
      return new Work(Math.max(nested, other.nested), operations + other.operations);
    }

    Work plus(long more) {
      return new Work(nested, operations + more);
    }

    Work times(long n) {
      return new Work(nested, operations * n);
    }

    long allowed() {
      return OPERATIONS[Math.min(nested, OPERATIONS.length - 1)];
    }

    /** How many iterations with this much work make a strip. */
    long iterations() {
      return Math.max(1, allowed() / Math.max(1, operations));
    }
  }

  /** How many iterations of a loop make a strip; 0 if the loop is so short that it needs none. */
  static long strip(Code.For loop) {
    Work body = of(loop.body()).plus(1);
    return isShort(loop, body) ? 0 : body.iterations();
  }

  /** How many iterations of a loop make a strip. */
  static long strip(Code.While loop) {
    return of(loop.body()).plus(1).iterations();
  }

  private static boolean isShort(Code.For loop, Work body) {
    long trips = trips(loop);
    return trips >= 0 && trips <= body.allowed() / Math.max(1, body.operations);
  }

  /** A bound of the number of iterations, or -1 if there is none. */
  private static long trips(Code.For loop) {
    if (loop.type() == PrimType.I8) return 1 << 8;
    if (loop.type() == PrimType.I16) return 1 << 16;
    long from = constant(loop.from());
    long to = constant(loop.to());
    return from < 0 || to < 0 ? -1 : Math.max(0, to - from);
  }

  /** The value of a constant that is not negative, or -1. */
  private static long constant(Expr e) {
    if (e instanceof Expr.Const c) return c.value().asLong();
    Long n = e instanceof Expr.Index i ? i.poly().constant() : null;
    return n == null ? -1 : n;
  }

  private static Work of(List<Code> code) {
    Work sum = NONE;
    for (Code c : code) sum = sum.plus(of(c));
    return sum;
  }

  private static Work of(Code code) {
    return switch (code) {
      case Code.For f -> {
        Work body = of(f.body()).plus(1);
        yield isShort(f, body) ? body.times(trips(f)) : checked(body);
      }
      case Code.While w -> checked(of(w.body()).plus(1));
      case Code.If i -> of(i.then()).plus(of(i.otherwise())).plus(operations(i.cond()));
      case Code.IfUnused i -> of(i.then()).plus(of(i.otherwise()));
      case Code.Scope s -> of(s.body());
      case Code.Outlined o -> of(o.body());
      case Code.Locked l -> of(l.body()).plus(50);
      case Code.Declare d -> simple(d.value() == null ? 0 : operations(d.value()));
      case Code.Assign a -> simple(operations(a.value()));
      case Code.Store s -> simple(1 + operations(s.value()));
      case Code.Assert a -> simple(operations(a.cond()));
      case Code.CopyRun c -> RUN;
      case Code.FillRun f -> RUN;
      case Code.Call c -> CALL;
      case Code.Parallel p -> CALL;
      case Code.ChainedScan s -> CALL;
      case Code.Alloc a -> simple(500);
      case Code.Reserve r -> simple(2);
      case Code.Free f -> simple(200);
      case Code.Trace t -> simple(10_000);
      case Code.ChunkCount c -> simple(20);
      case Code.RegionTime r -> simple(20);
      case Code.ThreadCount t -> simple(1);
      case Code.DeclareBlock d -> NONE;
      case Code.SetBlock s -> NONE;
      case Code.DeclareScratch d -> NONE;
      case Code.ConstantBlock c -> NONE;
      case Code.Pin p -> simple(100);
      case Code.Launch l -> simple(1000);
      case Code.ReadElements r -> CALL;
      case Code.Gpu g -> simple(100);
    };
  }

  private static Work simple(long operations) {
    return new Work(0, operations);
  }

  private static Work checked(Work body) {
    Work between = body.times(body.iterations());
    return new Work(between.nested + 1, between.operations);
  }

  private static long operations(Expr e) {
    return switch (e) {
      case Expr.Const c -> 0;
      case Expr.Var v -> 0;
      case Expr.Index i -> 1;
      case Expr.Binary b -> 1 + operations(b.left()) + operations(b.right());
      case Expr.Unary u -> 1 + operations(u.operand());
      case Expr.Compare c -> 1 + operations(c.left()) + operations(c.right());
      case Expr.Convert c -> 1 + operations(c.operand());
      case Expr.Apply a -> {
        long sum = 20;
        for (Expr arg : a.args()) sum += operations(arg);
        yield sum;
      }
      case Expr.Load l -> 2;
      case Expr.Tuning t -> 1;
    };
  }
}
