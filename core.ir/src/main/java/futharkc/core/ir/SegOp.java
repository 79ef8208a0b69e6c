package futharkc.core.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parallel operation over a rectangular space of indices. The body is evaluated at each index.
 * Scans, reductions and histograms run along the innermost dimension; the outer ones segment them.
 */
public sealed interface SegOp {
  SegLevel level();

  SegSpace space();

  /** Types of what the body returns at one index. */
  List<Type> types();

  SegBody body();

  /** The same operation with another body. */
  default SegOp withBody(SegBody other) {
    return switch (this) {
      case SegMap m -> new SegMap(m.level, m.space, m.types, other);
      case SegRed r -> new SegRed(r.level, r.space, r.ops, r.types, other, r.post);
      case SegScan r -> new SegScan(r.level, r.space, r.ops, r.types, other, r.post);
      case SegHist h -> new SegHist(h.level, h.space, h.ops, h.types, other);
    };
  }

  /** Each result is an array over the space (or what its {@link SegResult} says). */
  record SegMap(SegLevel level, SegSpace space, List<Type> types, SegBody body) implements SegOp {
    public SegMap {
      types = List.copyOf(types);
    }
  }

  /**
   * The body returns operands of the reductions, then mapped values. Results: an array over the
   * segments of each result of the reductions, or of {@code post}; then arrays of the mapped
   * values.
   *
   * @param post takes what a segment was reduced to, and sees the indices of the segments, not
   *     those of the innermost dimension; null: that is the result. On a GPU only
   */
  record SegRed(
      SegLevel level,
      SegSpace space,
      List<SegBinOp> ops,
      List<Type> types,
      SegBody body,
      @Nullable Lambda post)
      implements SegOp {
    public SegRed {
      ops = List.copyOf(ops);
      types = List.copyOf(types);
    }

    /** Without more to do about what segments are reduced to. */
    public SegRed(
        SegLevel level, SegSpace space, List<SegBinOp> ops, List<Type> types, SegBody body) {
      this(level, space, ops, types, body, null);
    }

    /** The number of values that the reductions take and give. */
    public int operands() {
      return ops.stream().mapToInt(o -> o.neutral().size()).sum();
    }
  }

  /**
   * The body returns operands of the scans, then mapped values; {@code post} takes the scanned and
   * the mapped values, and on a GPU sees the indices. Results: an array of each result of {@code
   * post}.
   */
  record SegScan(
      SegLevel level,
      SegSpace space,
      List<SegBinOp> ops,
      List<Type> types,
      SegBody body,
      Lambda post)
      implements SegOp {
    public SegScan {
      ops = List.copyOf(ops);
      types = List.copyOf(types);
    }
  }

  /**
   * The body returns indices of all operations, then values of all. Results: the destinations,
   * which are consumed.
   */
  record SegHist(
      SegLevel level, SegSpace space, List<SegHistOp> ops, List<Type> types, SegBody body)
      implements SegOp {
    public SegHist {
      ops = List.copyOf(ops);
      types = List.copyOf(types);
    }
  }

  /**
   * An operator of a reduction or scan.
   *
   * @param shape dimensions over which the operator is vectorised: operands are arrays of this
   *     shape, the lambda works on their elements
   */
  record SegBinOp(boolean commutative, Lambda op, List<SubExp> neutral, List<SubExp> shape) {
    public SegBinOp {
      neutral = List.copyOf(neutral);
      shape = List.copyOf(shape);
    }
  }

  /** A histogram: as {@link Soac.HistOp}; {@code opShape} as in {@link SegBinOp}. */
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
