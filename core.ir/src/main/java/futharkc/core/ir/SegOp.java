package futharkc.core.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parallel operation that evaluates a body at each index of a rectangular space. Scans,
 * reductions and histograms run along the innermost dimension. The outer dimensions enumerate
 * segments.
 */
public sealed interface SegOp {
  SegLevel level();

  SegSpace space();

  /** Returns the types of the body's results at one index. */
  List<Type> types();

  SegBody body();

  /** Returns this operation with another body. */
  default SegOp withBody(SegBody other) {
    return switch (this) {
      case SegMap m -> new SegMap(m.level, m.space, m.types, other);
      case SegRed r -> new SegRed(r.level, r.space, r.ops, r.types, other, r.post, r.strategy);
      case SegScan r -> new SegScan(r.level, r.space, r.ops, r.types, other, r.post, r.strategy);
      case SegHist h -> new SegHist(h.level, h.space, h.ops, h.types, other, h.strategy);
    };
  }

  /**
   * A map. Each result is an array over the space, unless its {@link SegResult} specifies another
   * form.
   */
  record SegMap(SegLevel level, SegSpace space, List<Type> types, SegBody body) implements SegOp {
    public SegMap {
      types = List.copyOf(types);
    }
  }

  /**
   * A segmented reduction. The body returns operands of the reductions, then mapped values. The
   * results are an array over the segments for each result of the reductions or of {@code post},
   * then arrays of the mapped values.
   *
   * @param post a function of the reduction results of one segment, which may use the indices of
   *     the outer dimensions; null for the identity. GPU only
   * @param strategy the division among threads; null for the simplest. GPU only
   */
  record SegRed(
      SegLevel level,
      SegSpace space,
      List<SegBinOp> ops,
      List<Type> types,
      SegBody body,
      @Nullable Lambda post,
      @Nullable SegStrategy strategy)
      implements SegOp {
    public SegRed {
      ops = List.copyOf(ops);
      types = List.copyOf(types);
    }

    /** Makes a reduction without a strategy. */
    public SegRed(
        SegLevel level,
        SegSpace space,
        List<SegBinOp> ops,
        List<Type> types,
        SegBody body,
        @Nullable Lambda post) {
      this(level, space, ops, types, body, post, null);
    }

    /** Makes a reduction without {@code post} and without a strategy. */
    public SegRed(
        SegLevel level, SegSpace space, List<SegBinOp> ops, List<Type> types, SegBody body) {
      this(level, space, ops, types, body, null);
    }

    /** Returns this reduction with a strategy. */
    public SegRed withStrategy(SegStrategy other) {
      return new SegRed(level, space, ops, types, body, post, other);
    }

    /**
     * Returns the number of operands of all reductions, which is also the number of their results.
     */
    public int operands() {
      return ops.stream().mapToInt(o -> o.neutral().size()).sum();
    }
  }

  /**
   * A segmented scan. The body returns operands of the scans, then mapped values. {@code post}
   * takes the scanned and mapped values; on a GPU, it may use the indices. The results are an array
   * for each result of {@code post}.
   *
   * @param strategy the passes and windows; null for the simplest. GPU only
   */
  record SegScan(
      SegLevel level,
      SegSpace space,
      List<SegBinOp> ops,
      List<Type> types,
      SegBody body,
      Lambda post,
      @Nullable SegStrategy strategy)
      implements SegOp {
    public SegScan {
      ops = List.copyOf(ops);
      types = List.copyOf(types);
    }

    /** Makes a scan without a strategy. */
    public SegScan(
        SegLevel level,
        SegSpace space,
        List<SegBinOp> ops,
        List<Type> types,
        SegBody body,
        Lambda post) {
      this(level, space, ops, types, body, post, null);
    }

    /** Returns this scan with a strategy. */
    public SegScan withStrategy(SegStrategy other) {
      return new SegScan(level, space, ops, types, body, post, other);
    }
  }

  /**
   * Segmented histograms. The body returns the indices of all operations, then the values of all
   * operations. The results are the destinations, which the operation consumes.
   *
   * @param strategy the versions of the updates; null for the simplest
   */
  record SegHist(
      SegLevel level,
      SegSpace space,
      List<SegHistOp> ops,
      List<Type> types,
      SegBody body,
      @Nullable HistStrategy strategy)
      implements SegOp {
    public SegHist {
      ops = List.copyOf(ops);
      types = List.copyOf(types);
    }

    /** Makes a histogram without a strategy. */
    public SegHist(
        SegLevel level, SegSpace space, List<SegHistOp> ops, List<Type> types, SegBody body) {
      this(level, space, ops, types, body, null);
    }

    /** Returns this histogram with a strategy. */
    public SegHist withStrategy(HistStrategy other) {
      return new SegHist(level, space, ops, types, body, other);
    }
  }

  /**
   * An operator of a reduction or scan.
   *
   * @param shape the dimensions over which the operator is vectorised: operands are arrays of this
   *     shape, and the lambda combines their elements
   */
  record SegBinOp(boolean commutative, Lambda op, List<SubExp> neutral, List<SubExp> shape) {
    public SegBinOp {
      neutral = List.copyOf(neutral);
      shape = List.copyOf(shape);
    }
  }

  /**
   * A histogram operation, analogous to {@link Soac.HistOp}.
   *
   * @param opShape the dimensions over which the operator is vectorised, as {@link
   *     SegBinOp#shape()}
   */
  record SegHistOp(
      List<SubExp> shape,
      SubExp raceFactor,
      List<Name> dests,
      List<SubExp> neutral,
      List<SubExp> opShape,
      Lambda op) {
    public SegHistOp {
      shape = List.copyOf(shape);
      dests = List.copyOf(dests);
      neutral = List.copyOf(neutral);
      opShape = List.copyOf(opShape);
    }
  }
}
