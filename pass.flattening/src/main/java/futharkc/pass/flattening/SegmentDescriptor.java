package futharkc.pass.flattening;

import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;

/**
 * All elements of segments of differing sizes in a row.
 *
 * @param total how many there are
 * @param offsets where each segment begins
 * @param ids for each element, its segment
 */
record SegmentDescriptor(SubExp total, Name offsets, Name ids) {}
