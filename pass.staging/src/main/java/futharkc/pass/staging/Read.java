package futharkc.pass.staging;

import futharkc.core.ir.SubExp;
import java.util.List;

/**
 * A read of an element of a window by a thread.
 *
 * @param window the window
 * @param offsets the offsets from the window's first element in each dimension
 * @param isInside true if the element is proved to be in the window
 */
record Read(Window window, List<SubExp> offsets, boolean isInside) {}
