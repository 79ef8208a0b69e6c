package futharkc.core.ir;

import java.util.List;

/**
 * Second-order array combinators: the parallel operations of the SOACS representation. Inputs have
 * outer size {@code width}.
 */
public sealed interface Soac extends Exp {
  /** Returns the outer size of the inputs. */
  SubExp width();

  /**
   * A map, followed by any number of scans and reductions of its results and another map.
   *
   * <p>The results of {@code map} are: values for the scans, in order; values for the reductions,
   * in order; other values. The parameters of {@code post} are: the scanned values at the current
   * element; the other values. The results of the whole are: the results of the reductions; then an
   * array for each result of {@code post}.
   *
   * <p>An input may be an accumulator. Every evaluation receives the accumulator, may update it,
   * and returns it among the other values and through {@code post}. The result is the accumulator
   * after all updates. If there are scans, {@code post} does the updates, since {@code map} may be
   * evaluated more than once at an element. The same rules hold for the results of a {@link
   * SegOp.SegMap} whose body uses free accumulators.
   */
  record Screma(
      SubExp width,
      List<Name> inputs,
      Lambda map,
      List<Scan> scans,
      List<Reduce> reduces,
      Lambda post)
      implements Soac {
    public Screma {
      inputs = List.copyOf(inputs);
      scans = List.copyOf(scans);
      reduces = List.copyOf(reduces);
    }

    /** Returns the number of values that the scans take. */
    public int scanResults() {
      return scans.stream().mapToInt(s -> s.neutral().size()).sum();
    }

    /**
     * Returns the number of values that the reductions take, which is also the number of their
     * results.
     */
    public int reduceResults() {
      return reduces.stream().mapToInt(r -> r.neutral().size()).sum();
    }

    /** Tests whether there are neither scans nor reductions. */
    public boolean isMap() {
      return scans.isEmpty() && reduces.isEmpty();
    }
  }

  /**
   * An inclusive scan. {@code op} is associative and takes left operands, then right operands;
   * {@code neutral} is its neutral element. The operator consumes no operand, and {@code post} does
   * not consume the operator's results, since the operator may receive them again. The same holds
   * for operators of histograms and accumulators.
   */
  record Scan(Lambda op, List<SubExp> neutral) {
    public Scan {
      neutral = List.copyOf(neutral);
    }
  }

  /**
   * A reduction, with the operator rules of {@link Scan}.
   *
   * @param commutative true if operands may be reordered
   */
  record Reduce(boolean commutative, Lambda op, List<SubExp> neutral) {
    public Reduce {
      neutral = List.copyOf(neutral);
    }
  }

  /**
   * Generalised histograms. The results of {@code bucket} are the indices of all operations (one
   * per dimension of each operation's shape), then the values of each operation. The operation
   * ignores values at indices out of range. The results are the destinations of all operations,
   * which are consumed.
   */
  record Hist(SubExp width, List<Name> inputs, List<HistOp> ops, Lambda bucket) implements Soac {
    public Hist {
      inputs = List.copyOf(inputs);
      ops = List.copyOf(ops);
    }
  }

  /**
   * One histogram.
   *
   * @param shape the outer sizes of the destinations, which the indices address
   * @param raceFactor the inverse fraction of bins in use: 1 for all bins, k for about one in k
   * @param op an associative and commutative operator with neutral element {@code neutral}
   */
  record HistOp(
      List<SubExp> shape, SubExp raceFactor, List<Name> dests, List<SubExp> neutral, Lambda op) {
    public HistOp {
      shape = List.copyOf(shape);
      dests = List.copyOf(dests);
      neutral = List.copyOf(neutral);
    }
  }

  /**
   * A sequential loop over chunks of the inputs. The lambda's parameters are the chunk size, the
   * accumulators, and a chunk of each input. Its results are the accumulators, then arrays of the
   * chunk size. The expression returns the final accumulators, then the concatenated arrays. If an
   * accumulator's parameter is unique, the lambda may overwrite it, and the expression consumes its
   * initial value. A final accumulator may be a result of the lambda or the initial value.
   */
  record Stream(SubExp width, List<Name> inputs, List<SubExp> accs, Lambda lambda) implements Soac {
    public Stream {
      inputs = List.copyOf(inputs);
      accs = List.copyOf(accs);
    }
  }

  /**
   * A map whose lambda returns arrays of varying outer sizes, which are concatenated. The lambda's
   * first result is that size; its other results are arrays of that size. The expression returns
   * the total size, the offsets of the segments ({@code [width]i64}), then the concatenations.
   */
  record FlatMap(SubExp width, List<Name> inputs, Lambda lambda) implements Soac {
    public FlatMap {
      inputs = List.copyOf(inputs);
    }
  }

  /**
   * A forward-mode derivative: the results of the lambda at {@code args}, then their tangents.
   *
   * @param vector the outer sizes of every tangent, one tangent per direction; empty for a single
   *     direction
   */
  record Jvp(List<SubExp> vector, List<SubExp> args, List<SubExp> tangents, Lambda lambda)
      implements Soac {
    public Jvp {
      vector = List.copyOf(vector);
      args = List.copyOf(args);
      tangents = List.copyOf(tangents);
    }

    @Override
    public SubExp width() {
      return SubExp.i64(1);
    }
  }

  /**
   * A reverse-mode derivative: the results of the lambda at {@code args}, then the adjoints of the
   * arguments.
   */
  record Vjp(List<SubExp> vector, List<SubExp> args, List<SubExp> adjoints, Lambda lambda)
      implements Soac {
    public Vjp {
      vector = List.copyOf(vector);
      args = List.copyOf(args);
      adjoints = List.copyOf(adjoints);
    }

    @Override
    public SubExp width() {
      return SubExp.i64(1);
    }
  }

  /**
   * The results of the lambda at {@code args}, with a custom reverse-mode derivative. {@code
   * adjoint} takes the arguments, the results and the adjoints of the results.
   */
  record WithVjp(List<SubExp> args, Lambda lambda, Lambda adjoint) implements Soac {
    public WithVjp {
      args = List.copyOf(args);
    }

    @Override
    public SubExp width() {
      return SubExp.i64(1);
    }
  }
}
