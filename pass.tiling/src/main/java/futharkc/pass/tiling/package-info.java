/**
 * Tiling of kernels in shared memory and registers, and of parallel regions in caches and vectors.
 *
 * <p>Begin with {@link BlockTilingPass}, whose header has the idea and two examples, then read
 * {@link BlockTiling} and {@link TiledKernel}. {@link CacheTilingPass} does the same for CPUs; read
 * {@link CacheTiling} and {@link CachedRegion}.
 *
 * <ul>
 *   <li>Analysis: {@link ResultSpace} (the dimensions of a kernel's loop), {@link RegionNest}
 *       (those of a parallel region), {@link Tiling} (the choice of dimensions), {@link Iteration}
 *       and {@link Product} (the loops to tile), {@link Staged} (elements for shared memory),
 *       {@link Variance}, {@link CachedProduct} (the parts of a step).
 *   <li>Shape: {@link TileShape} (the distribution among threads), {@link Tile} (positions of one
 *       thread), {@link Side} and {@link Sides}.
 *   <li>Generation: {@link TiledKernel}, {@link ResultCopies}, {@link CachedRegion}. {@link
 *       BlockTiling} generates the choice on the host.
 * </ul>
 *
 * <p>Numbers that depend on the machine are in {@link BlockTiles} and {@link CacheTiles}, not here.
 * The order of accumulation must not change: results are bitwise equal to those of the original
 * code.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.tiling;
