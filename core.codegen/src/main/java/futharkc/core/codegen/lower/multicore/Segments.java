package futharkc.core.codegen.lower.multicore;

import futharkc.core.codegen.lower.common.BlockLifetimes;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.imperative.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A division of segmented reductions and scans among threads: whole segments, or the elements of
 * each segment. Generated code chooses the faster version at run time. Segments are the rows of the
 * innermost dimension.
 */
final class Segments {
  /** A lowering of a range of segments on one thread. */
  interface Range {
    /**
     * Lowers the segments from one row-major position to another.
     *
     * @param outer the dimensions of the segments
     * @return the cost of one element
     */
    Poly lower(Name from, Name to, List<SegSpace.Dim> outer, List<Code> out);
  }

  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final LoopNest nest;

  Segments(FunctionSymbols scope, BlockLifetimes blocks, LoopNest nest) {
    this.scope = scope;
    this.blocks = blocks;
    this.nest = nest;
  }

  /**
   * Lowers all segments.
   *
   * @param choice the choice between both versions; null if each segment runs on one thread
   * @param segments lowers a range of segments on one thread, and returns the cost of an element
   * @param whole lowers one segment in parallel
   */
  void lower(
      String kind,
      Loc loc,
      List<SegSpace.Dim> dims,
      SegExp.@Nullable Choice choice,
      Range segments,
      Consumer<List<Code>> whole,
      List<Code> out) {
    List<SegSpace.Dim> outer = dims.subList(0, dims.size() - 1);
    SegSpace.Dim last = dims.get(dims.size() - 1);
    RegionBuilder region = new RegionBuilder(scope, kind, loc);
    List<Poly> costs = new ArrayList<>();
    List<Code> body =
        blocks.kernel(k -> costs.add(segments.lower(region.from, region.to, outer, k)));
    Poly cost =
        costs.get(0).times(scope.poly(last.size())).plus(Poly.of(scope.costs.operations().loop()));
    Poly segmentCost = scope.costs.outside(cost, body);
    List<Code> acrossSegments = new ArrayList<>();
    region.emit(
        nest.size(outer), segmentCost, scope.number(RegionOptions.CHUNKS), body, acrossSegments);
    if (choice == null) {
      out.addAll(acrossSegments);
      return;
    }
    List<Code> withinSegments = new ArrayList<>();
    nest.each(outer, whole, withinSegments);
    VersionChoice.choose(scope, choice, acrossSegments, withinSegments, out);
  }
}
