package futharkc.core.ir.memory;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import org.jspecify.annotations.Nullable;

/**
 * A read or write of a region of a block.
 *
 * @param array the name of the accessed array
 * @param block the block variable of the array
 * @param region an upper bound of the accessed elements in terms of names bound outside the queried
 *     statement, or null for the whole block
 */
public record Access(Name array, Name block, @Nullable Lmad region, boolean write) {
  Access in(@Nullable Lmad other) {
    return new Access(array, block, other, write);
  }
}
