package futharkc.pass.tiling;

import java.util.function.Function;

/** What each side of a tile has. */
record Sides<T>(T row, T column) {
  /** What a function says of each side, first of the rows. */
  static <T> Sides<T> of(Function<Side, T> value) {
    return new Sides<>(value.apply(Side.ROW), value.apply(Side.COLUMN));
  }

  /** What a side has. */
  T get(Side side) {
    return switch (side) {
      case ROW -> row;
      case COLUMN -> column;
    };
  }
}
