package futharkc.pass.staging;

import futharkc.core.ir.SubExp;
import java.util.List;

/**
 * What a thread reads of a window.
 *
 * @param offsets from the window's first element in each dimension
 * @param isInside whether it is an element of the window for sure
 */
record Read(Window window, List<SubExp> offsets, boolean isInside) {}
