package futharkc.pass.tiling;

import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import java.util.ArrayList;
import java.util.List;

/**
 * How an index space is tiled.
 *
 * @param sides the dimensions that have a row or column for each result of a tile
 */
record Tiling(IndexSpace space, Sides<IndexSpace.Dimension> sides) {
  /** By tiles of rows and columns: all ways, the inner dimensions first. */
  static List<Tiling> ofMatrices(IndexSpace space) {
    List<IndexSpace.Dimension> inner = space.dimensions().reversed();
    List<Tiling> all = new ArrayList<>();
    for (int column = 0; column < inner.size(); column++) {
      for (int row = column + 1; row < inner.size(); row++) {
        all.add(new Tiling(space, new Sides<>(inner.get(row), inner.get(column))));
      }
    }
    return all;
  }

  /** By tiles of one row, along the innermost dimension: the row is none of the space. */
  static Tiling ofRows(IndexSpace space, NameSource names) {
    IndexSpace.Dimension row = new IndexSpace.Dimension(names.fresh("row"), Poly.ONE);
    return new Tiling(space, new Sides<>(row, space.dimensions().getLast()));
  }

  /** Whether tiles have one row, all columns of which have the same elements by row and step. */
  boolean isOneRow() {
    return !space.dimensions().contains(sides.row());
  }

  /** The sides along which there may be several tiles, the inner one last. */
  List<Side> several() {
    return isOneRow() ? List.of(Side.COLUMN) : List.of(Side.ROW, Side.COLUMN);
  }

  /** The dimensions that all results of a tile have the same index of, outermost first. */
  List<IndexSpace.Dimension> around() {
    List<IndexSpace.Dimension> around = new ArrayList<>(space.dimensions());
    around.removeAll(List.of(sides.row(), sides.column()));
    return around;
  }
}
