package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Machine;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.CodeSize;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.PassContext;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/** The rewriting of one function for {@link CancellationChecksPass}. */
final class CancellationChecks {
  private static final Work NONE = new Work(0, 0);

  private final CheckIntervals limits;
  private final Machine.Bounds most;
  private final NameSource names;
  private final TripBounds bounds;

  /** The work between two checks, for each loop, by identity. */
  private final Map<Code, Work> known = new IdentityHashMap<>();

  private int added;

  /**
   * The number of loops around the current statement; in a region, loops outside of it do not
   * count.
   */
  private int around = 1;

  /** True in a chained scan, where a loop over a whole chunk is usually no longer than a strip. */
  private boolean shortChunks;

  private CancellationChecks(
      CheckIntervals limits,
      Machine.Bounds most,
      NameSource names,
      ImperativeProgram.Function function) {
    this.limits = limits;
    this.most = most;
    this.names = names;
    this.bounds = TripBounds.of(function);
  }

  /**
   * Returns the function with checks.
   *
   * @param count receives the number of loops with checks, if there are any
   */
  static ImperativeProgram.Function in(
      ImperativeProgram.Function function, PassContext context, IntConsumer count) {
    CancellationChecks checks =
        new CancellationChecks(
            CheckIntervals.of(context),
            context.machine().bounds(),
            new NameSource(function.nextTag()),
            function);
    if (CodeSearch.anyStatement(function.body(), c -> c instanceof Code.CheckCancelled)) {
      return function;
    }
    List<Code> body = checks.way.statements(function.body());
    if (checks.added == 0) {
      return function;
    }
    count.accept(checks.added);
    return function.withBody(body, checks.names.next());
  }

  private final CodeMapper way =
      new CodeMapper() {
        @Override
        public Code statement(Code code) {
          if (code instanceof Code.Launch) {
            return code;
          }
          int outside = around;
          boolean wereShort = shortChunks;
          around = aroundParts(code);
          if (code instanceof Code.ChainedScan) {
            shortChunks = true;
          }
          if (code instanceof Code.Parallel) {
            shortChunks = false;
          }
          Code mapped = super.statement(code);
          around = outside;
          shortChunks = wereShort;
          if (code instanceof Code.For f) {
            return looking(f, (Code.For) mapped);
          }
          if (code instanceof Code.While w) {
            return looking(w, (Code.While) mapped);
          }
          if (mapped instanceof Code.VectorLoop l) {
            return looking(l);
          }
          return mapped;
        }
      };

  private int aroundParts(Code code) {
    if (code instanceof Code.For || code instanceof Code.While || code instanceof Code.VectorLoop) {
      return around + 1;
    }
    return code instanceof Code.Parallel || code instanceof Code.ChainedScan ? 0 : around;
  }

  /**
   * Returns a loop with checks, unless the loop is short.
   *
   * @param before the original loop, from which the work is estimated
   */
  private Code looking(Code.For before, Code.For loop) {
    Work body = of(before.body()).plus(1);
    long limit = around == 0 && body.nested == 0 ? limits.alone() : limits.operations(body.nested);
    if (isShort(before, body, limit)) {
      return loop;
    }
    added++;
    long strip = iterations(body, limit);
    PrimType type = loop.type();
    boolean isLarge =
        around == 0 && body.nested > 0 && CodeSize.of(before.body()) >= limits.large();
    if (strip == 1 || isLarge || type == PrimType.I8 || type == PrimType.I16) {
      return loop.withBody(with(List.of(new Code.CheckCancelled()), loop.body()));
    }
    Expr.Var end = fresh("end", type);
    Expr.Var from = fresh("from", type);
    Expr.Var to = fresh("to", type);
    Expr.Var more = fresh("more", PrimType.BOOL);
    Expr goesOn = compare(CmpOp.Kind.SLT, from, end);
    // The difference of the bounds is exact as an unsigned number, and as a signed number if both
    // are positive. The minimum has no branch, which HotSpot would have to see taken both ways
    // before it compiles the loop well.
    boolean positive = loop.range().fits() || constant(loop.from()) >= 0;
    Expr length =
        binary(
            positive ? BinOp.Kind.SMIN : BinOp.Kind.UMIN,
            constant(type, strip),
            binary(BinOp.Kind.SUB, end, from));
    List<Code> round =
        List.of(
            new Code.Declare(to.name(), type, binary(BinOp.Kind.ADD, from, length)),
            between(from, to, loop),
            new Code.Assign(from.name(), to),
            new Code.Assign(more.name(), goesOn),
            new Code.If(more, List.of(new Code.CheckCancelled()), List.of()));
    List<Code> strips =
        List.of(
            new Code.Declare(more.name(), PrimType.BOOL, goesOn),
            new Code.While(more.name(), round));
    List<Code> all =
        new ArrayList<>(
            List.of(
                new Code.Declare(end.name(), type, loop.to()),
                new Code.Declare(from.name(), type, loop.from())));
    if (shortChunks && around == 0 && body.nested == 0) {
      CmpOp.Kind atMost = positive ? CmpOp.Kind.SLE : CmpOp.Kind.ULE;
      Expr one = compare(atMost, binary(BinOp.Kind.SUB, end, from), constant(type, strip));
      all.add(new Code.If(one, List.of(between(from, end, loop)), strips));
    } else {
      all.addAll(strips);
    }
    return new Code.Scope(all);
  }

  /** Returns a vector loop with a check after each group, which costs nothing in vector code. */
  private Code looking(Code.VectorLoop loop) {
    added++;
    List<Code> body = with(loop.body(), List.of(new Code.CheckCancelled()));
    return new Code.VectorLoop(
        loop.done(), loop.index(), loop.from(), loop.to(), loop.lanes(), body, loop.rest());
  }

  private static Code between(Expr from, Expr to, Code.For loop) {
    return new Code.For(
        loop.index(),
        loop.type(),
        from,
        to,
        loop.range(),
        loop.invariant(),
        loop.order(),
        loop.body());
  }

  /**
   * Returns the number of iterations of a while-loop between two checks. A loop that HotSpot does
   * not take for a counted loop has a safepoint in each iteration, so that a check in each
   * iteration costs nothing.
   */
  private long stripOf(Code.While loop, Work body) {
    return CountedLoops.mayBe(loop) ? iterations(body, limits.operations(body.nested)) : 1;
  }

  private Code looking(Code.While before, Code.While loop) {
    added++;
    Work work = of(before.body()).plus(1);
    long strip = stripOf(before, work);
    List<Code> check = List.of(new Code.CheckCancelled());
    if (strip == 1) {
      return new Code.While(loop.cond(), with(loop.body(), check));
    }
    Expr.Var done = fresh("done", PrimType.I32);
    Expr.Var more = fresh("more", PrimType.BOOL);
    Expr cond = new Expr.Var(loop.cond(), PrimType.BOOL);
    Expr one = constant(PrimType.I32, 1);
    Expr limit = constant(PrimType.I32, strip);
    List<Code> counted =
        List.of(
            new Code.Assign(done.name(), binary(BinOp.Kind.ADD, done, one)),
            new Code.Assign(more.name(), Expr.and(cond, compare(CmpOp.Kind.SLT, done, limit))));
    return new Code.While(
        loop.cond(),
        List.of(
            new Code.Declare(done.name(), PrimType.I32, Expr.zero(PrimType.I32)),
            new Code.Declare(more.name(), PrimType.BOOL, Expr.bool(true)),
            new Code.While(more.name(), with(loop.body(), counted)),
            new Code.If(cond, check, List.of())));
  }

  private static List<Code> with(List<Code> first, List<Code> then) {
    List<Code> all = new ArrayList<>(first);
    all.addAll(then);
    return all;
  }

  private Expr.Var fresh(String name, PrimType type) {
    return new Expr.Var(names.fresh(name), type);
  }

  private static Expr constant(PrimType type, long value) {
    return new Expr.Const(PrimValue.ofInt(type, value));
  }

  private static Expr binary(BinOp.Kind kind, Expr a, Expr b) {
    return new Expr.Binary(new BinOp(kind, a.type()), a, b);
  }

  private static Expr compare(CmpOp.Kind kind, Expr a, Expr b) {
    return new Expr.Compare(new CmpOp(kind, a.type()), a, b);
  }

  // Work

  /**
   * The work that code may do between two checks.
   *
   * @param nested the maximum nesting depth of loops with checks in the code
   * @param operations an approximate upper bound of elementary operations
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
  }

  /** Returns the number of iterations with this much work that make a strip. */
  private static long iterations(Work body, long limit) {
    return Math.max(1, limit / Math.max(1, body.operations));
  }

  private boolean isShort(Code.For loop, Work body, long limit) {
    long trips = trips(loop);
    return trips >= 0 && trips <= limit / Math.max(1, body.operations);
  }

  /** Returns an upper bound of a loop's trip count, or -1 if none is known. */
  private long trips(Code.For loop) {
    long known = bounds.trips(loop);
    if (known < 0 && loop.type() == PrimType.I8) {
      return 1 << 8;
    }
    if (known < 0 && loop.type() == PrimType.I16) {
      return 1 << 16;
    }
    return known;
  }

  /** Returns the value of a non-negative constant, or -1. */
  private static long constant(Expr e) {
    if (e instanceof Expr.Const c) {
      return c.value().asLong();
    }
    Long n = e instanceof Expr.Index i ? i.poly().constant() : null;
    return n == null ? -1 : n;
  }

  private Work of(List<Code> code) {
    Work sum = NONE;
    for (Code c : code) {
      sum = sum.plus(of(c));
    }
    return sum;
  }

  private Work of(Code code) {
    return switch (code) {
      case Code.For f -> loop(f);
      case Code.While w -> loop(w);
      case Code.If i -> of(i.then()).plus(of(i.otherwise())).plus(operations(i.cond()));
      case Code.IfUnused i -> of(i.then()).plus(of(i.otherwise()));
      case Code.Scope s -> of(s.body());
      case Code.Outlined o -> of(o.body());
      case Code.Locked l -> of(l.body()).plus(most.lock());
      case Code.Declare d -> simple(d.value() == null ? 0 : operations(d.value()));
      case Code.Assign a -> simple(operations(a.value()));
      case Code.Store s -> simple(1 + operations(s.value()));
      case Code.Assert a -> simple(operations(a.cond()));
      case Code.CheckCancelled c -> simple(2);
      case Code.VectorLoop l -> of(l.body()).plus(of(l.rest()));
      case Code.DeclareLanes d -> simple(d.value() == null ? 0 : operations(d.value()));
      case Code.AssignLanes a -> simple(operations(a.value()));
      case Code.StoreLanes s -> simple(1 + operations(s.value()));
      case Code.AnyLane a -> simple(1);
      case Code.CopyRun c -> run();
      case Code.FillRun f -> run();
      case Code.MapRun m -> run();
      case Code.Call c -> call();
      case Code.Parallel p -> call();
      case Code.ChainedScan s -> call();
      case Code.Alloc a -> simple(most.blocks().alloc());
      case Code.Reserve r -> simple(2);
      case Code.Free f -> simple(most.blocks().free());
      case Code.Trace t -> simple(most.trace());
      case Code.ChunkCount c -> simple(most.count());
      case Code.RegionTime r -> simple(most.count());
      case Code.ThreadCount t -> simple(1);
      case Code.DeclareBlock d -> NONE;
      case Code.SetBlock s -> NONE;
      case Code.DeclareScratch d -> NONE;
      case Code.ConstantBlock c -> NONE;
      case Code.Pin p -> simple(most.blocks().pin());
      case Code.Launch l -> simple(most.launch());
      case Code.AwaitElements r -> call();
      case Code.Gpu g -> simple(most.command());
    };
  }

  private Work call() {
    return new Work(2, limits.call());
  }

  private Work run() {
    return new Work(1, limits.run());
  }

  private static Work simple(long operations) {
    return new Work(0, operations);
  }

  private Work loop(Code loop) {
    Work w = known.get(loop);
    if (w == null) {
      w = computed(loop);
      known.put(loop, w);
    }
    return w;
  }

  private Work computed(Code loop) {
    if (loop instanceof Code.For f) {
      Work body = of(f.body()).plus(1);
      return isShort(f, body, limits.operations(body.nested))
          ? body.times(trips(f))
          : betweenLooks(body, iterations(body, limits.operations(body.nested)));
    }
    Code.While w = (Code.While) loop;
    Work body = of(w.body()).plus(1);
    long strip = stripOf(w, body);
    return strip == 1 ? body : betweenLooks(body, strip);
  }

  private static Work betweenLooks(Work body, long strip) {
    return new Work(body.nested + 1, body.times(strip).operations);
  }

  private long operations(Expr e) {
    return switch (e) {
      case Expr.Const c -> 0;
      case Expr.Var v -> 0;
      case Expr.Index i -> 1;
      case Expr.Binary b -> 1 + operations(b.left()) + operations(b.right());
      case Expr.Unary u -> 1 + operations(u.operand());
      case Expr.Compare c -> 1 + operations(c.left()) + operations(c.right());
      case Expr.Convert c -> 1 + operations(c.operand());
      case Expr.Apply a -> {
        long sum = most.function();
        for (Expr arg : a.args()) {
          sum += operations(arg);
        }
        yield sum;
      }
      case Expr.Load l -> 2;
      case Expr.Capacity c -> 1;
      case Expr.Tuning t -> 1;
    };
  }
}
