package futharkc.pass.tiling;

/** A side of a tile of results. */
enum Side {
  /** The dimension of the tile's rows. */
  ROW,
  /** The dimension of the tile's columns, along which results are adjacent in memory. */
  COLUMN
}
