package futharkc.core.ir;

import java.util.List;

/**
 * Second-order array combinators: the parallel operations of the SOACS representation. Inputs have
 * outer size {@code width}.
 */
public sealed interface Soac extends Exp {
  /** The outer size of the inputs. */
  SubExp width();

  /**
   * Maps, with any number of scans and reductions over the results, and a map after that.
   *
   * <p>The results of {@code map} are: values for the scans, in order; values for the reductions,
   * in order; other values. The parameters of {@code post} are: the results of the scans at this
   * element; the other values. The results of the whole are: those of the reductions; then an array
   * of each of the results of {@code post}.
   *
   * <p>An input may be an accumulator: every evaluation gets it as it is, updates it (or not), and
   * returns it, among the other values and through {@code post}; the result is the accumulator
   * after all updates. Where there are scans, {@code post} does the updates: {@code map} may be
   * evaluated more than once at an element. The same holds for the results of a {@link
   * SegOp.SegMap}, whose body uses accumulators that are free in it.
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

    /** The number of values that the scans take. */
    public int scanResults() {
      return scans.stream().mapToInt(s -> s.neutral().size()).sum();
    }

    /** The number of values that the reductions take and give. */
    public int reduceResults() {
      return reduces.stream().mapToInt(r -> r.neutral().size()).sum();
    }

    /** Whether there are neither scans nor reductions. */
    public boolean isMap() {
      return scans.isEmpty() && reduces.isEmpty();
    }
  }

  /**
   * An inclusive scan: {@code op} takes left operands then right ones, is associative, and {@code
   * neutral} is neutral. As any operator, of histograms and accumulators too, it consumes no
   * operand, and may be given its results again: {@code post} does not consume them either.
   */
  record Scan(Lambda op, List<SubExp> neutral) {
    public Scan {
      neutral = List.copyOf(neutral);
    }
  }

  /** A reduction: as {@link Scan}; {@code commutative} if the operands may be reordered. */
  record Reduce(boolean commutative, Lambda op, List<SubExp> neutral) {
    public Reduce {
      neutral = List.copyOf(neutral);
    }
  }

  /**
   * Generalised histograms. The results of {@code bucket} are the indices of each operation (as
   * many as its shape has dimensions), for all operations, then the values of each. Values at an
   * index out of range are ignored. The results are the destinations of all operations, which are
   * consumed.
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
   * @param shape the outer sizes of the destinations, over which values are indexed
   * @param raceFactor how many bins are in use: 1 is all of them, k about one in k
   * @param op associative and commutative, with {@code neutral}
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
   * Sequential over chunks. The lambda's parameters are the chunk's size, the accumulators, and a
   * chunk of each input; its results are the accumulators, then arrays of the chunk's size. The
   * results are the last accumulators, then the concatenated arrays. As with the parameters of a
   * loop, an accumulator may be overwritten where its parameter is unique, and what it begins with
   * is consumed then; a last one may be what the lambda returned or what it began with.
   */
  record Stream(SubExp width, List<Name> inputs, List<SubExp> accs, Lambda lambda) implements Soac {
    public Stream {
      inputs = List.copyOf(inputs);
      accs = List.copyOf(accs);
    }
  }

  /**
   * A map whose lambda returns arrays of differing outer sizes, concatenated. The lambda's first
   * result is that size; the others are arrays of it. The results are the total size, the offsets
   * of each part ({@code [width]i64}), then the concatenations.
   */
  record FlatMap(SubExp width, List<Name> inputs, Lambda lambda) implements Soac {
    public FlatMap {
      inputs = List.copyOf(inputs);
    }
  }

  /**
   * Forward derivative: results of the lambda at {@code args}, then their tangents.
   *
   * @param vector sizes of the outer dimensions of every tangent, none unless several directions
   *     are taken at once
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
   * Reverse derivative: results of the lambda at {@code args}, then the adjoints of the arguments.
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
   * The lambda at {@code args}, with a custom reverse derivative: {@code adjoint} takes the
   * arguments, results and their adjoints.
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
