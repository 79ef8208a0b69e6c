package futharkc.core.ir.memory;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import org.jspecify.annotations.Nullable;

/**
 * A read or write of a part of a block.
 *
 * @param array by whose name
 * @param block the block variable that the array is in
 * @param region where, at most, in names that are bound outside of the statement asked about; null:
 *     anywhere in the block
 */
public record Access(Name array, Name block, @Nullable Lmad region, boolean write) {
  Access in(@Nullable Lmad other) {
    return new Access(array, block, other, write);
  }
}
