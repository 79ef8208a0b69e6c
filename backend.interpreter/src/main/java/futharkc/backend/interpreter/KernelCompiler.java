package futharkc.backend.interpreter;

import futharkc.core.ir.Name;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.runtime.FutharkError;
import java.util.ArrayList;
import java.util.List;

/**
 * A compiler of code that only GPU programs have. The thread blocks of a kernel run one after the
 * other. The threads of a thread block run one after the other up to the next barrier, in ascending
 * or in descending order.
 */
final class KernelCompiler {
  private final Options options;
  private final VariableSlots variables;
  private final ExprCompiler terms;
  private final StepCompiler steps;

  KernelCompiler(Options options, VariableSlots variables, ExprCompiler terms, StepCompiler steps) {
    this.options = options;
    this.variables = variables;
    this.terms = terms;
    this.steps = steps;
  }

  // Host code

  Step host(Code.Host code) {
    return switch (code) {
      case Code.Launch l -> launch(l);
      case Code.AskElement k -> ask(k);
      case Code.AwaitElements w -> await(w);
      case Code.WriteElement w -> {
        ExprCompiler.Block block = terms.block(w.block());
        CompiledExpr index = terms.poly(w.index());
        CompiledExpr value = terms.expr(w.value());
        yield a -> {
          write(block, w.elem(), index, value, a);
          a.execution.counters.written(w.elem().bytes());
        };
      }
      case Code.OnCopies c -> onCopies(c);
      case Code.GetSize g -> {
        int slot = variables.declareScalar(g.target());
        long value = size(g.parameter());
        yield a -> a.set(slot, value);
      }
      case Code.GetSizeMax g -> {
        int slot = variables.declareScalar(g.target());
        yield a -> a.set(slot, SmallSizes.max(g.sizeClass()));
      }
      case Code.CompareSize c -> {
        CompiledExpr value = terms.expr(c.value());
        int slot = variables.declareScalar(c.target());
        long size = size(c.parameter());
        yield a -> a.set(slot, size <= a.defined(value, "what decides on a version") ? 1 : 0);
      }
    };
  }

  private long size(TuningParameter p) {
    Long set = options.parameters().get(p.name());
    return set != null ? set : SmallSizes.byDefault(p.sizeClass(), options.threshold());
  }

  /**
   * Compiles a request. The interpreter reads the element at once. An element outside the block is
   * undefined.
   */
  private Step ask(Code.AskElement k) {
    ExprCompiler.Block block = terms.block(k.block());
    CompiledExpr index = terms.poly(k.index());
    int slot = variables.declareScalar(k.request());
    return a -> {
      CheckedBlock b = block.of(a);
      long at = a.defined(index, "an index");
      if (!b.isOutside(k.elem(), at)) {
        a.execution.counters.read(k.elem().bytes());
      }
      a.set(slot, x -> b.requested(k.elem(), at, x.execution));
    };
  }

  private Step await(Code.AwaitElements w) {
    int n = w.elements().size();
    CompiledExpr[] requests = new CompiledExpr[n];
    int[] targets = new int[n];
    for (int i = 0; i < n; i++) {
      Name request = w.elements().get(i).request();
      requests[i] = terms.expr(new Expr.Var(request, Code.AskElement.REQUEST));
      targets[i] = variables.declareScalar(w.elements().get(i).target());
    }
    return a -> {
      boolean isKnown = true;
      for (int i = 0; i < n; i++) {
        isKnown &= a.isOutside(requests[i]);
      }
      if (!isKnown) {
        a.execution.counters.waited();
        a.execution.checkDevice();
      }
      for (int i = 0; i < n; i++) {
        a.set(targets[i], requests[i]);
      }
    };
  }

  /** A copy of a block, in a variable of its own. */
  private record HostCopy(int slot, ExprCompiler.Block block, boolean isChanged) {}

  /**
   * Compiles a statement on copies. Nothing else has access to the blocks meanwhile, so each block
   * serves as its own copy.
   */
  private Step onCopies(Code.OnCopies code) {
    List<HostCopy> copies = new ArrayList<>();
    for (Code.HostCopy c : code.copies()) {
      ExprCompiler.Block block = terms.block(c.block());
      copies.add(new HostCopy(variables.declareBlock(c.copy()), block, c.isChanged()));
    }
    Step body = steps.all(code.body());
    return a -> {
      Execution x = a.execution;
      x.counters.waited();
      x.checkDevice();
      for (HostCopy c : copies) {
        CheckedBlock block = c.block.of(a);
        a.blocks[c.slot] = block;
        x.counters.read(block.length());
      }
      body.run(a);
      for (HostCopy c : copies) {
        if (c.isChanged) {
          x.counters.written(a.blocks[c.slot].length());
        }
      }
    };
  }

  private static void write(
      ExprCompiler.Block block,
      PrimType elem,
      CompiledExpr index,
      CompiledExpr value,
      Activation a) {
    Execution x = a.execution;
    long i = a.defined(index, "an index");
    x.undefined = null;
    long bits = value.value(a);
    block.of(a).write(elem, i, bits, x.undefined, x);
  }

  // Thread blocks

  /** An exception that ends all threads of a thread block after one has failed. */
  private static final class ThreadBlockAbandoned extends RuntimeException {
    ThreadBlockAbandoned() {
      super(null, null, false, false);
    }
  }

  /**
   * A step of a thread block: code that each thread runs up to a barrier, or control flow that is
   * the same for all threads.
   */
  private interface BlockStep {
    void run(ThreadBlock t);
  }

  /** The threads of one thread block. */
  private final class ThreadBlock {
    private final Activation[] threads;
    private final Execution x;
    private final long launch;
    private final long block;
    private int phase;
    private boolean failed;

    ThreadBlock(Activation host, long launch, long block, int threads) {
      this.threads = new Activation[threads];
      for (int t = 0; t < threads; t++) {
        this.threads[t] = host.copy();
      }
      this.x = host.execution;
      this.launch = launch;
      this.block = block;
    }

    void each(Step s) {
      int n = threads.length;
      for (int k = 0; k < n; k++) {
        int t = options.backwards() ? n - 1 - k : k;
        x.access = Accessor.of(new BarrierEpoch(launch, block, t, phase));
        x.team = () -> failed = true;
        s.run(threads[t]);
      }
      x.access = Accessor.ALONE;
    }

    /** Evaluates an expression that must have the same value in all threads. */
    long uniform(CompiledExpr e, String what) {
      x.access = Accessor.of(new BarrierEpoch(launch, block, 0, phase));
      long value = threads[0].defined(e, what);
      for (int t = 1; t < threads.length; t++) {
        x.access = Accessor.of(new BarrierEpoch(launch, block, t, phase));
        if (threads[t].defined(e, what) != value) {
          throw new Fault(what + " around a barrier differs between threads of a block");
        }
      }
      x.access = Accessor.ALONE;
      return value;
    }
  }

  private record SharedBlock(Name name, int slot, CompiledExpr bytes) {}

  private Step launch(Code.Launch l) {
    CompiledExpr blocks = terms.expr(l.blocks());
    CompiledExpr threads = terms.expr(l.threads());
    CompiledExpr indices = terms.expr(new Expr.Index(l.size()));
    List<SharedBlock> shared = new ArrayList<>();
    for (Code.Shared s : l.shared()) {
      CompiledExpr bytes = terms.expr(s.bytes());
      shared.add(new SharedBlock(s.block(), variables.declareBlock(s.block()), bytes));
    }
    int block = variables.declareScalar(l.block());
    int thread = variables.declareScalar(l.thread());
    BlockStep body = blockStep(l.body());
    return a -> {
      Execution x = a.execution;
      long n = a.defined(blocks, "the number of blocks");
      long size = a.defined(threads, "the number of threads");
      long[] bytes = shared.stream().mapToLong(s -> a.defined(s.bytes, "a size")).toArray();
      if (size < 1) {
        throw new Fault("a kernel with " + size + " threads in a block");
      }
      if (n < 0) {
        throw new Fault("a kernel with " + n + " blocks");
      }
      if (l.grid().covers() && n * size < a.defined(indices, "the number of indices")) {
        throw new Fault("a kernel with fewer threads than indices");
      }
      if (n > 0) {
        x.counters.launched();
      }
      if (x.failure != null) {
        return;
      }
      long launch = x.launches++;
      for (long k = 0; k < n; k++) {
        long number = options.backwards() ? n - 1 - k : k;
        ThreadBlock team = new ThreadBlock(a, launch, number, (int) size);
        List<CheckedBlock> own = new ArrayList<>();
        for (long b : bytes) {
          own.add(CheckedBlock.bytes("shared memory", b));
        }
        for (int t = 0; t < size; t++) {
          Activation one = team.threads[t];
          one.set(block, number);
          one.set(thread, t);
          for (int i = 0; i < own.size(); i++) {
            one.blocks[shared.get(i).slot] = own.get(i);
          }
        }
        try {
          body.run(team);
        } catch (ThreadBlockAbandoned left) {
          // The next thread block runs all the same, since a GPU may have started it before the
          // failure.
        }
        x.access = Accessor.ALONE;
      }
    };
  }

  private BlockStep blockStep(List<Code> code) {
    List<BlockStep> parts = new ArrayList<>();
    int from = 0;
    for (int i = 0; i <= code.size(); i++) {
      if (i < code.size() && !hasBarrier(code.get(i))) {
        continue;
      }
      if (i > from) {
        Step alone = steps.all(code.subList(from, i));
        parts.add(t -> t.each(alone));
      }
      if (i < code.size()) {
        parts.add(barrier(code.get(i)));
      }
      from = i + 1;
    }
    return t -> {
      for (BlockStep p : parts) {
        p.run(t);
      }
    };
  }

  private static boolean hasBarrier(Code code) {
    return switch (code) {
      case Code.Barrier b -> true;
      case Code.LeaveIfFailed l -> true;
      case Code.Shuffle s -> true;
      case Code.Compound c -> c.bodies().stream().anyMatch(KernelCompiler::hasBarrier);
      case Code.Simple s -> false;
    };
  }

  private static boolean hasBarrier(List<Code> code) {
    return code.stream().anyMatch(KernelCompiler::hasBarrier);
  }

  /** Compiles a statement that contains a barrier. */
  private BlockStep barrier(Code code) {
    return switch (code) {
      case Code.Barrier b -> t -> t.phase++;
      case Code.LeaveIfFailed l ->
          t -> {
            t.phase++;
            if (t.failed) {
              throw new ThreadBlockAbandoned();
            }
          };
      case Code.Shuffle s -> shuffle(s);
      case Code.If i -> {
        CompiledExpr cond = terms.expr(i.cond());
        BlockStep then = blockStep(i.then());
        BlockStep otherwise = blockStep(i.otherwise());
        yield t -> (t.uniform(cond, "a condition") != 0 ? then : otherwise).run(t);
      }
      case Code.For f -> {
        CompiledExpr from = terms.expr(f.from());
        CompiledExpr to = terms.expr(f.to());
        int slot = variables.declareScalar(f.index());
        BlockStep body = blockStep(f.body());
        yield t -> {
          long start = t.uniform(from, "the bound of a loop");
          long end = t.uniform(to, "the bound of a loop");
          for (long i = start; i < end; i++) {
            for (Activation a : t.threads) {
              a.set(slot, i);
            }
            body.run(t);
          }
        };
      }
      case Code.Strided s -> {
        CompiledExpr from = terms.expr(s.from());
        CompiledExpr to = terms.expr(s.to());
        CompiledExpr step = terms.expr(s.step());
        int slot = variables.declareScalar(s.index());
        BlockStep body = blockStep(s.body());
        yield t -> {
          long start = t.uniform(from, "the bound of a loop");
          long end = t.uniform(to, "the bound of a loop");
          long by = positive(t.uniform(step, "the step of a loop"));
          for (long i = start; i < end; i += by) {
            for (Activation a : t.threads) {
              a.set(slot, i);
            }
            body.run(t);
          }
        };
      }
      case Code.While w -> {
        CompiledExpr cond = terms.expr(new Expr.Var(w.cond(), PrimType.BOOL));
        BlockStep body = blockStep(w.body());
        yield t -> {
          while (t.uniform(cond, "the condition of a loop") != 0) {
            body.run(t);
          }
        };
      }
      case Code.Scope s -> blockStep(s.body());
      default -> throw new Fault("a barrier in code of a single thread");
    };
  }

  private BlockStep shuffle(Code.Shuffle s) {
    CompiledExpr value = terms.expr(s.value());
    CompiledExpr distance = terms.expr(s.distance());
    int slot = variables.declareScalar(s.target());
    return t -> {
      int n = t.threads.length;
      for (int k = 0; k < n; k++) {
        long by = t.threads[k].defined(distance, "the distance of threads");
        int place = k % s.width();
        boolean isThere = by >= -place && by < s.width() - place && by < n - k;
        Activation from = t.threads[isThere ? k + (int) by : k];
        t.threads[k].set(slot, own -> value.value(from));
      }
    };
  }

  private static long positive(long step) {
    if (step <= 0) {
      throw new Fault("a loop by steps of " + step);
    }
    return step;
  }

  // Code of one thread

  private Step strided(Code.Strided s) {
    CompiledExpr from = terms.expr(s.from());
    CompiledExpr to = terms.expr(s.to());
    CompiledExpr step = terms.expr(s.step());
    int slot = variables.declareScalar(s.index());
    Step body = steps.all(s.body());
    boolean backwards = options.backwards() && s.isIndependent();
    return a -> {
      long start = a.defined(from, "the bound of a loop");
      long end = a.defined(to, "the bound of a loop");
      long by = positive(a.defined(step, "the step of a loop"));
      if (start >= end) {
        return;
      }
      long last = start + (end - 1 - start) / by * by;
      for (long i = start; i <= last; i += by) {
        a.set(slot, backwards ? last - (i - start) : i);
        body.run(a);
      }
    };
  }

  Step thread(Code.Kernel code) {
    return switch (code) {
      case Code.Private p -> {
        int slot = variables.declareBlock(p.block());
        yield a -> a.blocks[slot] = CheckedBlock.allocate(p.block().toString(), p.elem(), p.size());
      }
      case Code.DeclarePointer d -> {
        Name n = d.value();
        ExprCompiler.Block value = n == null ? null : terms.block(n);
        CompiledExpr offset = terms.poly(d.offset());
        boolean part = !d.offset().isZero();
        int slot = variables.declareBlock(d.block());
        yield value == null
            ? a -> a.blocks[slot] = null
            : a -> {
              CheckedBlock b = value.of(a);
              a.blocks[slot] = part ? b.from(a.defined(offset, "an offset")) : b;
            };
      }
      case Code.Fence f -> a -> {};
      case Code.Shuffle s -> throw new Fault("a shuffle in code of a single thread");
      case Code.SineAndCosine s -> sineAndCosine(s);
      case Code.Atomic x -> atomic(x);
      case Code.CompareAndSet c -> compareAndSet(c);
      case Code.VolatileLoad l -> {
        ExprCompiler.Block block = terms.block(l.block());
        CompiledExpr index = terms.poly(l.index());
        int slot = variables.declareScalar(l.target());
        yield a -> {
          long i = a.defined(index, "an index");
          Accessor before = a.execution.access;
          a.execution.access = before.atomic();
          a.set(slot, x -> block.of(x).read(l.elem(), i, x.execution));
          a.execution.access = before;
        };
      }
      case Code.VolatileStore s -> {
        ExprCompiler.Block block = terms.block(s.block());
        CompiledExpr index = terms.poly(s.index());
        CompiledExpr value = terms.expr(s.value());
        yield a -> {
          Accessor before = a.execution.access;
          long i = a.defined(index, "an index");
          a.execution.undefined = null;
          long bits = value.value(a);
          a.execution.access = before.atomic();
          block.of(a).write(s.elem(), i, bits, a.execution.undefined, a.execution);
          a.execution.access = before;
        };
      }
      case Code.Strided s -> strided(s);
      case Code.Attempt t -> {
        Step body = steps.all(t.body());
        yield a -> {
          try {
            body.run(a);
          } catch (FutharkError e) {
            if (a.execution.failure == null) {
              a.execution.failure = e;
            }
            a.execution.team.run();
          }
        };
      }
      case Code.Barrier b -> throw new Fault("a barrier in code of a single thread");
      case Code.LeaveIfFailed l -> throw new Fault("a barrier in code of a single thread");
    };
  }

  private Step sineAndCosine(Code.SineAndCosine s) {
    CompiledExpr sine = terms.expr(applied(PrimFun.Kind.SIN, s));
    CompiledExpr cosine = terms.expr(applied(PrimFun.Kind.COS, s));
    int sineSlot = variables.declareScalar(s.sine());
    int cosineSlot = variables.declareScalar(s.cosine());
    return a -> {
      a.set(sineSlot, sine);
      a.set(cosineSlot, cosine);
    };
  }

  private static Expr applied(PrimFun.Kind kind, Code.SineAndCosine s) {
    return new Expr.Apply(new PrimFun(kind, s.type()), List.of(s.operand()));
  }

  private Step atomic(Code.Atomic x) {
    ExprCompiler.Block block = terms.block(x.block());
    CompiledExpr index = terms.poly(x.index());
    CompiledExpr operand = terms.expr(x.operand());
    ScalarOps.Binary op = AtomicOperators.of(x.op(), x.elem());
    int slot = variables.declareScalar(x.old());
    return a -> {
      long i = a.defined(index, "an index");
      long value = a.defined(operand, "the operand of an atomic operation");
      Accessor before = a.execution.access;
      a.execution.access = before.atomic();
      CheckedBlock b = block.of(a);
      long old = a.defined(y -> b.read(x.elem(), i, y.execution), "an atomic operation");
      b.write(x.elem(), i, op.apply(old, value), null, a.execution);
      a.execution.access = before;
      a.set(slot, old);
    };
  }

  private Step compareAndSet(Code.CompareAndSet x) {
    ExprCompiler.Block block = terms.block(x.block());
    CompiledExpr index = terms.poly(x.index());
    CompiledExpr expected = terms.expr(x.expected());
    CompiledExpr next = terms.expr(x.value());
    int slot = variables.declareScalar(x.old());
    return a -> {
      long i = a.defined(index, "an index");
      long was = a.defined(expected, "the expected value");
      a.execution.undefined = null;
      long value = next.value(a);
      Undefined undefined = a.execution.undefined;
      Accessor before = a.execution.access;
      a.execution.access = before.atomic();
      CheckedBlock b = block.of(a);
      long old = a.defined(y -> b.read(x.elem(), i, y.execution), "an atomic operation");
      if (old == was) {
        b.write(x.elem(), i, value, undefined, a.execution);
      }
      a.execution.access = before;
      a.set(slot, old);
    };
  }
}
