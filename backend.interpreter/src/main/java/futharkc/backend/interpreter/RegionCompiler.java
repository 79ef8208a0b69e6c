package futharkc.backend.interpreter;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Parallel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiler of code that only multicore programs have. The chunks of a region run one after the
 * other: either forwards, with the chunk bounds of a real run, or backwards where the order allows
 * it, with later chunks longer.
 */
final class RegionCompiler {
  private final Options options;
  private final VariableSlots variables;
  private final ExprCompiler terms;
  private final StepCompiler steps;

  RegionCompiler(Options options, VariableSlots variables, ExprCompiler terms, StepCompiler steps) {
    this.options = options;
    this.variables = variables;
    this.terms = terms;
    this.steps = steps;
  }

  Step step(Code.Multicore code) {
    return switch (code) {
      case Code.ChunkCount c -> {
        CompiledExpr total = terms.expr(c.total());
        CompiledExpr cost = terms.poly(c.cost());
        int slot = variables.declareScalar(c.chunks());
        yield a -> {
          a.defined(cost, "the cost of an iteration");
          boolean any = a.defined(total, "the number of iterations") > 0;
          a.set(slot, any ? options.chunks() : 0);
        };
      }
      case Code.RegionTime r -> {
        CompiledExpr total = terms.expr(r.total());
        CompiledExpr cost = terms.poly(r.cost());
        int slot = variables.declareScalar(r.time());
        yield a -> {
          long each = a.defined(cost, "the cost of an iteration");
          long all = a.defined(total, "the number of iterations");
          int chunks = options.chunks();
          a.set(slot, (all + chunks - 1) / chunks * each);
        };
      }
      case Code.ThreadCount t -> {
        int slot = variables.declareScalar(t.threads());
        yield a -> a.set(slot, options.chunks());
      }
      case Code.Parallel p -> parallel(p);
      case Code.ChainedScan s -> chainedScan(s);
      case Code.Locked l -> {
        CompiledExpr key = terms.expr(l.key());
        Step body = steps.all(l.body());
        yield a -> {
          Execution x = a.execution;
          Accessor before = x.access;
          long k = a.defined(key, "the key of a lock");
          if (before != Accessor.ALONE) {
            x.access = before.locked(k);
          }
          body.run(a);
          x.access = before;
        };
      }
    };
  }

  /** A compiled region: its length, its number of chunks, and the variables of a chunk. */
  private final class Region {
    private final CompiledExpr total;
    private final CompiledExpr chunks;
    private final int chunk;
    private final int from;
    private final int to;

    Region(Expr total, Expr chunks, Name chunk, Name from, Name to) {
      this.total = terms.expr(total);
      this.chunks = terms.expr(chunks);
      this.chunk = variables.declareScalar(chunk);
      this.from = variables.declareScalar(from);
      this.to = variables.declareScalar(to);
    }

    Run start(Activation a) {
      long n = a.defined(total, "the number of iterations");
      long k = a.defined(chunks, "the number of chunks");
      return new Run(this, a, n, (int) Math.max(0, k));
    }
  }

  /** One execution of a region. */
  private final class Run {
    private final Region region;
    private final Activation a;
    private final long total;
    private final Accessor outside;
    private @Nullable FutharkError failure;
    private int failed;
    final int chunks;

    Run(Region region, Activation a, long total, int chunks) {
      this.region = region;
      this.a = a;
      this.total = total;
      this.chunks = chunks;
      this.outside = a.execution.access;
    }

    private long start(long chunk) {
      if (!options.backwards()) {
        return Parallel.chunkStart(total, chunks, (int) chunk);
      }
      return (long) ((double) total * (chunk * (chunk + 1)) / ((double) chunks * (chunks + 1)));
    }

    /** Runs a body for a chunk unless this chunk or an earlier one has failed. */
    void run(Step body, int chunk, Chunk.Phase phase) {
      if (failure != null && failed <= chunk) {
        return;
      }
      Execution x = a.execution;
      x.access = Accessor.of(Chunk.inside(outside.chunk(), this, chunk, phase));
      a.set(region.chunk, chunk);
      a.set(region.from, chunk == 0 ? 0 : start(chunk));
      a.set(region.to, chunk == chunks - 1 ? total : start(chunk + 1));
      try {
        body.run(a);
      } catch (FutharkError e) {
        failure = e;
        failed = chunk;
      }
      x.access = outside;
    }

    /** Runs a body for all chunks, in ascending or descending order. */
    void all(Step body, int count, Chunk.Phase phase) {
      for (int c = 0; c < count; c++) {
        run(body, options.backwards() ? count - 1 - c : c, phase);
      }
    }

    /** Throws the error of the first chunk that has failed, if any. */
    void end() {
      if (failure != null) {
        throw failure;
      }
    }
  }

  private Step parallel(Code.Parallel p) {
    Region region = new Region(p.total(), p.chunks(), p.chunk(), p.from(), p.to());
    Step body = steps.all(p.body());
    return a -> {
      Run run = region.start(a);
      run.all(body, run.chunks, Chunk.Phase.WHOLE);
      run.end();
    };
  }

  private Step chainedScan(Code.ChainedScan s) {
    Region region = new Region(s.total(), s.chunks(), s.chunk(), s.from(), s.to());
    List<Step> parts = List.of(steps.all(s.reduce()), steps.all(s.combine()), steps.all(s.scan()));
    return a -> {
      Run run = region.start(a);
      if (options.backwards()) {
        backwards(parts, run);
      } else {
        forwards(parts, run);
      }
      run.end();
    };
  }

  /**
   * Runs a chained scan as a single thread would: all phases of a chunk before those of the next.
   */
  private static void forwards(List<Step> parts, Run run) {
    for (int c = 0; c < run.chunks; c++) {
      if (c < run.chunks - 1) {
        run.run(parts.get(0), c, Chunk.Phase.REDUCE);
        run.run(parts.get(1), c, Chunk.Phase.COMBINE);
      }
      run.run(parts.get(2), c, Chunk.Phase.SCAN);
    }
  }

  /**
   * Runs a chained scan phase by phase, the last chunks first; the combinations run in ascending
   * order.
   */
  private static void backwards(List<Step> parts, Run run) {
    run.all(parts.get(0), run.chunks - 1, Chunk.Phase.REDUCE);
    for (int c = 0; c < run.chunks - 1; c++) {
      run.run(parts.get(1), c, Chunk.Phase.COMBINE);
    }
    run.all(parts.get(2), run.chunks, Chunk.Phase.SCAN);
  }
}
