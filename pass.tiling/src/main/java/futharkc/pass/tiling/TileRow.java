package futharkc.pass.tiling;

/**
 * A tile of a single row: a thread has one result, and all threads of a thread block read the same
 * elements in a step.
 *
 * @param size the tile, with a result and a step for each thread
 * @param unrolled the unrolling factor of the loop over steps, a power of two
 * @param statements the maximum number of statements of a step per element that it reads; loads
 *     cost little in a longer step
 * @param bytes the maximum bytes of shared memory, so that enough thread blocks fit on a
 *     multiprocessor
 */
record TileRow(TileSize size, int unrolled, int statements, int bytes) {}
