/**
 * Tiling of kernels in shared memory and registers.
 *
 * <p>Begin with {@link BlockTilingPass}, whose header has the idea and two examples, then read
 * {@link BlockTiling} and {@link TiledKernel}.
 *
 * <ul>
 *   <li>Analysis: {@link ResultSpace} (the dimensions of a kernel's loop), {@link Tiling} (the
 *       choice of dimensions), {@link Iteration} and {@link Product} (the loops to tile), {@link
 *       Staged} (elements for shared memory), {@link Variance}.
 *   <li>Shape: {@link TileShape} (the distribution among threads), {@link Tile} (positions of one
 *       thread), {@link Side} and {@link Sides}.
 *   <li>Generation: {@link TiledKernel}, {@link ResultCopies}. {@link BlockTiling} generates the
 *       choice on the host.
 * </ul>
 *
 * <p>Numbers that depend on the machine are in {@link futharkc.core.ir.Target.BlockTiles}, not
 * here. The order of accumulation must not change: results are bitwise equal to those of the
 * original kernel.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.tiling;
