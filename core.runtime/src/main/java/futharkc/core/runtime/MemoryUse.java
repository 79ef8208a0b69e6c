package futharkc.core.runtime;

/**
 * The use of a memory. Sizes are those that the program has requested, without rounding.
 *
 * @param space the name of the memory in reports: {@code default space}, {@code space 'device'}
 * @param peakBytes the largest number of live bytes since the start or the last reset
 * @param allocatedBytes the total number of allocated bytes
 * @param freedBytes the total number of freed bytes
 * @param allocations the number of allocated blocks
 * @param recycled the number of allocations that a recycled block has served
 * @param copies the number of copies of arrays, or of parts of arrays
 * @param copiedBytes the number of copied bytes
 */
public record MemoryUse(
    String space,
    long peakBytes,
    long allocatedBytes,
    long freedBytes,
    long allocations,
    long recycled,
    long copies,
    long copiedBytes) {}
