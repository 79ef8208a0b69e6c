package futharkc.core.runtime;

/**
 * How much of a memory was used, in bytes and numbers of blocks: as much as was asked for, not what
 * blocks are rounded up to.
 *
 * @param space the memory as reports name it: {@code default space}, {@code space 'device'}
 * @param peakBytes the most that was in use at a time, since the start or the last reset
 * @param allocatedBytes taken in all
 * @param freedBytes given back in all
 * @param allocations how many blocks were taken
 * @param recycled how many of these had been given back before
 * @param copies how many copies of arrays, or of parts of them, there were
 * @param copiedBytes how much was copied
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
