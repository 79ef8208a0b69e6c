package futharkc.pass.tiling;

import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import java.util.ArrayList;
import java.util.List;

/**
 * A tiling of an index space.
 *
 * @param space the index space
 * @param sides the dimensions of the tile's rows and columns
 */
record Tiling(ResultSpace space, Sides<ResultSpace.Dimension> sides) {
  /** Returns all tilings with tiles of rows and columns, inner dimensions first. */
  static List<Tiling> ofMatrices(ResultSpace space) {
    List<ResultSpace.Dimension> inner = space.dimensions().reversed();
    List<Tiling> all = new ArrayList<>();
    for (int column = 0; column < inner.size(); column++) {
      for (int row = column + 1; row < inner.size(); row++) {
        all.add(new Tiling(space, new Sides<>(inner.get(row), inner.get(column))));
      }
    }
    return all;
  }

  /**
   * Returns the tiling with tiles of one row along the innermost dimension. The row is a dimension
   * outside the space.
   */
  static Tiling ofRows(ResultSpace space, NameSource names) {
    ResultSpace.Dimension row = new ResultSpace.Dimension(names.fresh("row"), Poly.ONE);
    return new Tiling(space, new Sides<>(row, space.dimensions().getLast()));
  }

  /** Tests whether tiles have one row, whose columns all use the same elements. */
  boolean isOneRow() {
    return !space.dimensions().contains(sides.row());
  }

  /** Returns the sides with several tiles, the inner one last. */
  List<Side> several() {
    return isOneRow() ? List.of(Side.COLUMN) : List.of(Side.ROW, Side.COLUMN);
  }

  /** Returns the dimensions whose index is the same for all results of a tile, outermost first. */
  List<ResultSpace.Dimension> around() {
    List<ResultSpace.Dimension> around = new ArrayList<>(space.dimensions());
    around.removeAll(List.of(sides.row(), sides.column()));
    return around;
  }
}
