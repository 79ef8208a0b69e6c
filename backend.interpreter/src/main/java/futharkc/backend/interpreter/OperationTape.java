package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Function;

/**
 * The tape of a reverse derivative: every scalar that depends on its inputs, with the operation and
 * operands that produced it.
 */
final class OperationTape {
  private final long level;
  private long length;

  OperationTape(long level) {
    this.level = level;
  }

  long level() {
    return level;
  }

  /** An entry of the tape. It depends only on earlier entries. */
  abstract static sealed class Entry {
    final OperationTape tape;
    private final long position;

    Entry(OperationTape tape) {
      this.tape = tape;
      this.position = tape.length++;
    }

    /**
     * Adds the contributions of this entry's complete adjoint to the adjoints of the entries on
     * which it depends.
     */
    abstract void pass(Sweep sweep);
  }

  /** A scalar on the tape. */
  abstract static sealed class Node extends Entry implements Num.Derived {
    final PrimType type;
    private final Num primal;

    Node(OperationTape tape, PrimType type, Num primal) {
      super(tape);
      this.type = type;
      this.primal = primal;
    }

    @Override
    public long level() {
      return tape.level;
    }

    @Override
    public Num primal() {
      return primal;
    }
  }

  private static final class Input extends Node {
    Input(OperationTape tape, PrimType type, Num primal) {
      super(tape, type, primal);
    }

    @Override
    void pass(Sweep sweep) {}
  }

  /** An operand on the tape, and the partial derivative of the result with respect to it. */
  private record Edge(Num operand, Partial partial) {}

  private static final class Applied extends Node {
    private final List<Edge> operands;

    Applied(OperationTape tape, PrimType type, List<Edge> operands, Num primal) {
      super(tape, type, primal);
      this.operands = operands;
    }

    @Override
    void pass(Sweep sweep) {
      Num adjoint = sweep.of(this);
      for (Edge e : operands) {
        sweep.add(e.operand, e.partial.backwards(adjoint));
      }
    }
  }

  private static final class Custom extends Entry {
    private final Num[] operands;
    private final int results;
    private final Function<Num[], Num[]> adjoint;

    Custom(OperationTape tape, Num[] operands, int results, Function<Num[], Num[]> adjoint) {
      super(tape);
      this.operands = operands;
      this.results = results;
      this.adjoint = adjoint;
    }

    @Override
    void pass(Sweep sweep) {
      Num[] mine = adjoint.apply(sweep.seeds(this));
      for (int i = 0; i < mine.length; i++) {
        sweep.add(operands[i], mine[i]);
      }
    }
  }

  private static final class CustomResult extends Node {
    private final Custom from;
    private final int index;

    CustomResult(Custom from, int index, PrimType type, Num primal) {
      super(from.tape, type, primal);
      this.from = from;
      this.index = index;
    }

    @Override
    void pass(Sweep sweep) {
      sweep.seed(from, index, sweep.of(this));
    }
  }

  private boolean holds(Num n) {
    return n instanceof Node node && node.tape == this;
  }

  /** Adds an input of the differentiated function. */
  Num input(PrimType type, Num primal) {
    return new Input(this, type, primal);
  }

  /**
   * Applies an operation to operands among which are scalars of this tape, and none of a higher
   * level.
   */
  Num apply(Operation op, Num[] x) {
    Num[] primals = Num.below(x, level);
    Num y = op.apply(primals);
    List<Edge> edges = new ArrayList<>(x.length);
    for (int i = 0; i < x.length; i++) {
      if (!holds(x[i])) {
        continue;
      }
      Partial p = Partials.of(op, i, primals, y);
      if (!p.isZero()) {
        edges.add(new Edge(x[i], p));
      }
    }
    return edges.isEmpty() ? y : new Applied(this, op.result(), edges, y);
  }

  /**
   * Adds the results of a function with a custom derivative.
   *
   * @param operands the operands, flattened
   * @param primals the results, as the code outside this derivative sees them
   * @param types the types of the results
   * @param adjoint the map from adjoints of all results to adjoints of all operands
   */
  Num[] custom(Num[] operands, Num[] primals, PrimType[] types, Function<Num[], Num[]> adjoint) {
    Custom custom = new Custom(this, operands, primals.length, adjoint);
    Num[] results = new Num[primals.length];
    for (int k = 0; k < results.length; k++) {
      results[k] = new CustomResult(custom, k, types[k], primals[k]);
    }
    return results;
  }

  /** One reverse sweep over a tape, from adjoints of some scalars to those of the inputs. */
  static final class Sweep {
    private final OperationTape tape;
    private final Map<Node, Num> adjoints = new HashMap<>();
    private final Map<Custom, Num[]> seeds = new HashMap<>();
    private final PriorityQueue<Entry> waiting =
        new PriorityQueue<>(Comparator.comparingLong((Entry e) -> e.position).reversed());

    Sweep(OperationTape tape) {
      this.tape = tape;
    }

    /** Adds to the adjoint of a scalar; scalars that are not on this tape are ignored. */
    void add(Num to, Num adjoint) {
      if (!(to instanceof Node node && tape.holds(node))) {
        return;
      }
      Num before = adjoints.get(node);
      if (before == null) {
        waiting.add(node);
      }
      adjoints.put(
          node, before == null ? adjoint : new NumArithmetic(node.type).add(before, adjoint));
    }

    private void seed(Custom custom, int index, Num adjoint) {
      Num[] mine = seeds.get(custom);
      if (mine == null) {
        mine = new Num[custom.results];
        Arrays.fill(mine, Num.Const.ZERO);
        seeds.put(custom, mine);
        waiting.add(custom);
      }
      mine[index] = adjoint;
    }

    private Num[] seeds(Custom custom) {
      Num[] mine = seeds.get(custom);
      return mine == null ? new Num[0] : mine;
    }

    /** Propagates all adjoints backwards over the tape. */
    void run() {
      for (Entry e = waiting.poll(); e != null; e = waiting.poll()) {
        e.pass(this);
      }
    }

    /** Returns the adjoint of a scalar of this tape. */
    Num of(Num n) {
      Num adjoint = n instanceof Node node ? adjoints.get(node) : null;
      return adjoint == null ? Num.Const.ZERO : adjoint;
    }
  }
}
