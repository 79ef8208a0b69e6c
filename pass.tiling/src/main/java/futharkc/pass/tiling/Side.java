package futharkc.pass.tiling;

/** A side of a tile of results. */
enum Side {
  /** The dimension that a tile has rows of. */
  ROW,
  /** The dimension that a tile has columns of: where results lie next to each other. */
  COLUMN
}
