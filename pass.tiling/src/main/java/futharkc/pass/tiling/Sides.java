package futharkc.pass.tiling;

import java.util.function.Function;

/**
 * A pair of values, one for each side of a tile.
 *
 * @param row the value for rows
 * @param column the value for columns
 */
record Sides<T>(T row, T column) {
  /** Returns the values of a function for both sides, rows first. */
  static <T> Sides<T> of(Function<Side, T> value) {
    return new Sides<>(value.apply(Side.ROW), value.apply(Side.COLUMN));
  }

  /** Returns the value for a side. */
  T get(Side side) {
    return switch (side) {
      case ROW -> row;
      case COLUMN -> column;
    };
  }
}
