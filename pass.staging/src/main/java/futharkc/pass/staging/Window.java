package futharkc.pass.staging;

import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import java.util.List;

/**
 * A part of an array that does not change while a block runs.
 *
 * @param array a variable from outside of the block
 * @param bases the index of the first element in each dimension
 * @param widths how many elements there are in each
 */
record Window(Name array, List<SubExp> bases, List<SubExp> widths) {}
