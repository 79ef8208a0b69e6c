package futharkc.pass.tiling;

import futharkc.core.ir.NameSource;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The cache tiling of one function, for {@link CacheTilingPass}. */
final class CacheTiling extends CodeMapper {
  private final String function;
  private final PassContext context;
  private final CacheTiles limits;
  private final NameSource names;

  /** The labels of the function's regions. */
  private final Set<String> labels = new HashSet<>();

  private CacheTiling(ImperativeProgram.Function function, PassContext context, CacheTiles limits) {
    this.function = function.name();
    this.context = context;
    this.limits = limits;
    this.names = new NameSource(function.nextTag());
    CodeSearch.anyStatement(
        function.body(), c -> c instanceof Code.Parallel p && !labels.add(p.label()));
  }

  /** Returns the function with tiled regions; the same function if no region is tiled. */
  static ImperativeProgram.Function rewrite(
      ImperativeProgram.Function function, PassContext context, CacheTiles limits) {
    CacheTiling tiling = new CacheTiling(function, context, limits);
    List<Code> body = tiling.statements(function.body());
    return body == function.body() ? function : function.withBody(body, tiling.names.next());
  }

  @Override
  public Code statement(Code code) {
    if (!(code instanceof Code.Parallel region)) {
      return super.statement(code);
    }
    Code tiled = tiled(region);
    return tiled == null ? region : tiled;
  }

  private @Nullable Code tiled(Code.Parallel region) {
    RegionNest nest = RegionNest.of(region);
    if (nest == null || labels.contains(CachedRegion.label(region))) {
      return null;
    }
    Iteration iteration =
        new Iteration.Search(nest.body(), nest.inside(), names)
            .of(Tiling.ofMatrices(nest.space()), p -> !p.steps().mentions(nest.inside()));
    if (iteration == null) {
      return null;
    }
    CachedProduct product = CachedProduct.of(iteration, limits);
    if (product == null) {
      String reason = "no tiles, since a step is not a few vector operations, or not the only loop";
      context.remark(Remark.Kind.MISSED, function, region.loc(), reason);
      return null;
    }
    CachedRegion tiles =
        new CachedRegion(region, iteration, product, context.costs(), limits, names);
    if (!tiles.mayBeEnough()) {
      return null;
    }
    String size = limits.highest() + " x " + tiles.width();
    context.remark(
        Remark.Kind.APPLIED, function, region.loc(), "tiles of up to " + size + " results");
    return tiles.choice();
  }
}
