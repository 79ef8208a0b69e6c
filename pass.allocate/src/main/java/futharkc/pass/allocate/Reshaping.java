package futharkc.pass.allocate;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Index functions of reshaped arrays. */
final class Reshaping {
  private Reshaping() {}

  /** The index function after a reshape, if there is a single one. */
  static @Nullable Lmad reshape(Lmad l, BasicOp.Reshape op) {
    List<SubExp> shape = op.shape();
    if (l.isContiguous()) return Lmad.rowMajor(l.offset(), shape);
    if (op.coerce()) {
      List<Lmad.Dim> dims = new ArrayList<>();
      for (int i = 0; i < shape.size(); i++) {
        dims.add(new Lmad.Dim(l.dims().get(i).stride(), shape.get(i)));
      }
      return new Lmad(l.offset(), dims);
    }
    return regroup(l, shape);
  }

  /**
   * Keeps the dimensions that both shapes begin or end with; what lies between must be equidistant,
   * so that it can be one dimension, and then any.
   */
  private static @Nullable Lmad regroup(Lmad l, List<SubExp> shape) {
    int old = l.dims().size();
    int now = shape.size();
    int front = 0;
    while (front < old && front < now && l.dims().get(front).size().equals(shape.get(front)))
      front++;
    int back = 0;
    while (back < old - front
        && back < now - front
        && l.dims().get(old - 1 - back).size().equals(shape.get(now - 1 - back))) {
      back++;
    }
    List<Lmad.Dim> dims = new ArrayList<>(l.dims().subList(0, front));
    List<Lmad.Dim> middle = l.dims().subList(front, old - back);
    Poly stride = middle.isEmpty() ? Poly.ONE : middle.get(middle.size() - 1).stride();
    Poly expected = stride;
    for (int i = middle.size() - 1; i >= 0; i--) {
      if (!middle.get(i).stride().equals(expected) && !middle.get(i).size().isInt(1)) return null;
      expected = expected.times(Poly.of(middle.get(i).size()));
    }
    List<Lmad.Dim> split = new ArrayList<>();
    Poly s = stride;
    for (int i = now - back - 1; i >= front; i--) {
      split.add(0, new Lmad.Dim(s, shape.get(i)));
      s = s.times(Poly.of(shape.get(i)));
    }
    dims.addAll(split);
    dims.addAll(l.dims().subList(old - back, old));
    return new Lmad(l.offset(), dims);
  }
}
