package futharkc.pass.tiling;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;

/**
 * Elements that a thread block copies to shared memory together: for each step of a loop, the
 * elements of one side. In a tile of one row, elements that do not depend on the column belong to
 * the row.
 *
 * @param side the side
 * @param block the memory block of the elements
 * @param type the type of the elements
 * @param index the index in the block, affine in the side's index and in the loop's index
 * @param neighbours whether elements of neighbouring rows or columns are adjacent in memory, else
 *     those of neighbouring steps may be
 * @param value the variable of the element in the loop
 */
record Staged(Side side, Name block, PrimType type, Poly index, boolean neighbours, Name value) {
  /** Tests whether these elements are at the given index of a memory block. */
  boolean isAt(Name otherBlock, PrimType otherType, Poly otherIndex) {
    return block.equals(otherBlock) && type == otherType && index.equals(otherIndex);
  }
}
