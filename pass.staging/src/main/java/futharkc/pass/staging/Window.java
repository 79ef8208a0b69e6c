package futharkc.pass.staging;

import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import java.util.List;

/**
 * A rectangular region of an array that does not change while a thread block runs.
 *
 * @param array a variable from outside of the thread block
 * @param bases the index of the first element in each dimension
 * @param widths the number of elements in each dimension
 */
record Window(Name array, List<SubExp> bases, List<SubExp> widths) {}
