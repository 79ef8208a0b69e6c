package futharkc.core.runtime.embed;

import java.lang.foreign.MemorySegment;

/**
 * A memory segment with the elements of an array in row-major order and native byte order.
 *
 * @param memory the elements
 * @param shape the sizes, outermost first
 */
public record ShapedSegment(MemorySegment memory, long... shape) {}
