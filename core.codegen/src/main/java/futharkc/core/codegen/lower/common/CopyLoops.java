package futharkc.core.codegen.lower.common;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.List;

/** The loops over the elements of whole arrays that are copied, filled or counted. */
public interface CopyLoops {
  /** The source or target of a copy: a block, and the offset at which the array begins. */
  record Side(Name block, Poly offset) {}

  /** A dimension of a copy: its size and its strides in the target and the source. */
  record Dim(Poly size, Poly to, Poly from) {
    /** Tests whether the dimension is contiguous in the target and the source. */
    public boolean isRun() {
      return to.equals(Poly.ONE) && from.equals(Poly.ONE);
    }
  }

  /** Copies the elements of these dimensions; adjacent dimensions are merged where possible. */
  void copy(PrimType elem, Side to, Side from, List<Dim> dims, List<Code> out);

  /** Fills the elements of these dimensions. */
  void fill(PrimType elem, Side to, List<Dim> dims, Expr value, List<Code> out);

  /**
   * Fills an array with {@code start, start + stride, ...}.
   *
   * @param step the distance of adjacent elements in the block, in elements
   */
  void iota(Side to, Poly step, BasicOp.Iota x, List<Code> out);
}
