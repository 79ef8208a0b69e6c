package futharkc.pass.tiling;

/**
 * The smallest matrix product for which tiles are faster.
 *
 * @param rows the minimum rows of the result
 * @param columns the minimum columns of the result, so that vectors are mostly full
 * @param steps the minimum trip count of the loop, which must outweigh the code before and after it
 * @param work the minimum number of steps of all results
 */
record LeastProduct(int rows, int columns, int steps, int work) {}
