package futharkc.pass.flattening;

import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;

/**
 * The numbering of the elements of consecutive segments of varying sizes.
 *
 * @param total the total element count
 * @param offsets the offset of each segment
 * @param ids the segment number of each element
 */
record SegmentDescriptor(SubExp total, Name offsets, Name ids) {}
