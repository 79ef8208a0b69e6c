package futharkc.pass.tiling;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;

/**
 * Elements that a block fetches together: those of a side, in each step of a loop. Where a tile has
 * one row, its elements are all that do not depend on the column.
 *
 * @param index where they are, affine in the side's index and in the loop's
 * @param neighbours whether those of neighbouring rows, or columns, are neighbours in memory;
 *     otherwise those of neighbouring steps may be
 * @param value the variable that stands for the element in the loop
 */
record Staged(Side side, Name block, PrimType type, Poly index, boolean neighbours, Name value) {
  /** Whether that is where another array's elements are. */
  boolean isAt(Name otherBlock, PrimType otherType, Poly otherIndex) {
    return block.equals(otherBlock) && type == otherType && index.equals(otherIndex);
  }
}
