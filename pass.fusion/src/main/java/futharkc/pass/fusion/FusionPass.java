package futharkc.pass.fusion;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Scope;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Fuses maps, scans, reductions, histograms and sequential streams. Fusion combines producers with
 * consumers, even if the product has other uses, and independent operations over a common array.
 *
 * <pre>{@code
 * let ys = screma(n, [xs]) map f
 * let z  = screma(n, [ys]) map g reduce (+)     =>   let z = screma(n, [xs]) map (g . f) reduce (+)
 * }</pre>
 *
 * <p>The pass contracts pairs of nodes in the dependence graph of each body, as long as the graph
 * stays acyclic. Nested bodies follow, because composed lambdas bring operations together. Fusion
 * duplicates no work: a producer is fused with one consumer, and its arrays remain results for
 * other consumers. The time is about linear in the size of the program if producers are near their
 * consumers.
 *
 * <p>The pass first moves operations between two maps out of the way. Copies, slices,
 * transpositions and reshapes move to the inputs of the first map ({@link InputForwarding}, {@link
 * Transforms}). A cheap map moves into the loop that reads its results in order ({@link
 * LoopSinking}). An operation moves into the only branch that uses it ({@link BranchSinking}). An
 * operation on the results of branches moves into all branches ({@link TailDuplication}). A cheap
 * map, scan or reduction is fused with an adjacent sequential stream. An operation and a later
 * cheap map over the same array are not fused if memory merging can construct the later result in
 * place, after the earlier result is written. See {@code docs/internals/fusion.md}.
 *
 * <p>Known gaps: no reduction is fused with the scan that it reads, and no histogram with a stream;
 * an operation on the results of two matches moves into one of them only.
 */
public final class FusionPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "fusion",
            "fuses maps, scans, reductions, histograms and streams with each other",
            Rep.SOACS)
        .prefers(Property.SIMPLIFIED)
        .establishes(Property.FUSED)
        .destroys(Property.SIMPLIFIED)
        .after("inline", "simplify");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    var names = new NameSource(function.nextTag());
    var remarks = new FusionRemarks(context, function.name());
    var types = Scope.ofAll(program, function);
    Aliases aliases = context.analyses().get(function, Aliases.ANALYSIS);
    Body body = new Bodies(aliases, types, names, remarks).body(function.body());
    return body == function.body() ? function : function.withBody(body, names.next());
  }

  /**
   * A traversal from outer to inner bodies. It records the types and aliases of the names in a
   * changed body.
   */
  private static final class Bodies extends Mapper {
    private Aliases aliases;
    private final FreeNamesOfStms free = new FreeNamesOfStms();
    private final Scope types;
    private final NameSource names;
    private final FusionRemarks remarks;

    Bodies(Aliases aliases, Scope types, NameSource names, FusionRemarks remarks) {
      this.aliases = aliases;
      this.types = types;
      this.names = names;
      this.remarks = remarks;
    }

    @Override
    public Body body(Body b) {
      Aliases outside = aliases;
      FusedBody level = FusedBody.fuse(b, aliases, free, types, names, remarks);
      aliases = level.aliases();
      Body inside = super.body(level.body());
      aliases = outside;
      return inside;
    }
  }
}
