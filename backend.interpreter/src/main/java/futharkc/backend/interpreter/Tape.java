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
 * What a reverse derivative remembers: every scalar that depends on its inputs, with the operation
 * and the operands that it came from.
 */
final class Tape {
  private final long level;
  private long length;

  Tape(long level) {
    this.level = level;
  }

  long level() {
    return level;
  }

  /** Something on the tape; what it depends on was there before. */
  abstract static sealed class Entry {
    final Tape tape;
    private final long position;

    Entry(Tape tape) {
      this.tape = tape;
      this.position = tape.length++;
    }

    /** Hands an adjoint, which is complete, on to what this depends on. */
    abstract void pass(Sweep sweep);
  }

  /** A scalar on the tape. */
  abstract static sealed class Node extends Entry implements Num.Derived {
    final PrimType type;
    private final Num primal;

    Node(Tape tape, PrimType type, Num primal) {
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
    Input(Tape tape, PrimType type, Num primal) {
      super(tape, type, primal);
    }

    @Override
    void pass(Sweep sweep) {}
  }

  /** An operand on the tape, and how a result depends on it. */
  private record Edge(Num operand, Partial partial) {}

  private static final class Applied extends Node {
    private final List<Edge> operands;

    Applied(Tape tape, PrimType type, List<Edge> operands, Num primal) {
      super(tape, type, primal);
      this.operands = operands;
    }

    @Override
    void pass(Sweep sweep) {
      Num adjoint = sweep.of(this);
      for (Edge e : operands) sweep.add(e.operand, e.partial.backwards(adjoint));
    }
  }

  private static final class Custom extends Entry {
    private final Num[] operands;
    private final int results;
    private final Function<Num[], Num[]> adjoint;

    Custom(Tape tape, Num[] operands, int results, Function<Num[], Num[]> adjoint) {
      super(tape);
      this.operands = operands;
      this.results = results;
      this.adjoint = adjoint;
    }

    @Override
    void pass(Sweep sweep) {
      Num[] mine = adjoint.apply(sweep.seeds(this));
      for (int i = 0; i < mine.length; i++) sweep.add(operands[i], mine[i]);
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

  /** An input of the function whose derivative is taken. */
  Num input(PrimType type, Num primal) {
    return new Input(this, type, primal);
  }

  /** Applies an operation of which some operands are on this tape, none on one of higher level. */
  Num apply(Operation op, Num[] x) {
    Num[] primals = Num.below(x, level);
    Num y = op.apply(primals);
    List<Edge> edges = new ArrayList<>(x.length);
    for (int i = 0; i < x.length; i++) {
      if (!holds(x[i])) continue;
      Partial p = Partials.of(op, i, primals, y);
      if (!p.isZero()) edges.add(new Edge(x[i], p));
    }
    return edges.isEmpty() ? y : new Applied(this, op.result(), edges, y);
  }

  /**
   * The results of a function that has a derivative of its own.
   *
   * @param primals the results as they are outside this derivative
   * @param adjoint takes adjoints of all results and gives those of all operands
   */
  Num[] custom(Num[] operands, Num[] primals, PrimType[] types, Function<Num[], Num[]> adjoint) {
    Custom custom = new Custom(this, operands, primals.length, adjoint);
    Num[] results = new Num[primals.length];
    for (int k = 0; k < results.length; k++) {
      results[k] = new CustomResult(custom, k, types[k], primals[k]);
    }
    return results;
  }

  /** One way back over a tape, from adjoints of some scalars to those of the inputs. */
  static final class Sweep {
    private final Tape tape;
    private final Map<Node, Num> adjoints = new HashMap<>();
    private final Map<Custom, Num[]> seeds = new HashMap<>();
    private final PriorityQueue<Entry> waiting =
        new PriorityQueue<>(Comparator.comparingLong((Entry e) -> e.position).reversed());

    Sweep(Tape tape) {
      this.tape = tape;
    }

    /** Adds to the adjoint of a scalar; nothing if that is not on this tape. */
    void add(Num to, Num adjoint) {
      if (!(to instanceof Node node && tape.holds(node))) return;
      Num before = adjoints.get(node);
      if (before == null) waiting.add(node);
      adjoints.put(node, before == null ? adjoint : new Arithmetic(node.type).add(before, adjoint));
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

    /** Hands on everything that was added. */
    void run() {
      for (Entry e = waiting.poll(); e != null; e = waiting.poll()) e.pass(this);
    }

    /** The adjoint of a scalar of this tape. */
    Num of(Num n) {
      Num adjoint = n instanceof Node node ? adjoints.get(node) : null;
      return adjoint == null ? Num.Const.ZERO : adjoint;
    }
  }
}
