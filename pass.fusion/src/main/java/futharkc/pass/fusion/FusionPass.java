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
 * Fuses maps, scans, reductions, histograms and sequential streams: producers with consumers (also
 * where the product is needed elsewhere), and independent operations over a common array.
 *
 * <pre>{@code
 * let ys = screma(n, [xs]) map f
 * let z  = screma(n, [ys]) map g reduce (+)     =>   let z = screma(n, [xs]) map (g . f) reduce (+)
 * }</pre>
 *
 * <p>Each body is a dependence graph, in which pairs of nodes are contracted while it stays without
 * cycles; then the bodies inside are done, where the lambdas just composed have brought operations
 * together. No work is duplicated: a producer is fused with one consumer, and gives its arrays to
 * the others. Time is about linear in the size of the program for producers near their consumers.
 *
 * <p>What stands between two maps is moved out of the way first: copies, slices, transpositions and
 * reshapes go to the first one's inputs ({@link InputForwarding}, {@link Transforms}). A cheap map
 * goes into the loop that reads its results in order ({@link IntoLoops}), and any operation into
 * the one branch that needs it ({@link BranchSinking}); an operation on what branches give goes
 * into all of them ({@link TailDuplication}). A cheap map, scan or reduction goes into the
 * sequential stream before or behind it. A cheap map stays apart from an earlier one over the same
 * array if memory merging can make its result in place only after the other's has been written
 * there. See {@code docs/internals/fusion.md}.
 *
 * <p>Known gaps: no reduction is fused with the scan that it reads, and no histogram with a stream;
 * an operation on what two branchings give goes into one of them only.
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
    var remarks = new Remarks(context, function.name());
    var types = Scope.ofAll(program, function);
    Aliases aliases = context.analyses().get(function, Aliases.ANALYSIS);
    Body body = new Bodies(aliases, types, names, remarks).body(function.body());
    return body == function.body() ? function : function.withBody(body, names.next());
  }

  /** From the outside in; what a changed body binds at any depth is learnt with it. */
  private static final class Bodies extends Mapper {
    private Aliases aliases;
    private final FreeNamesOfStms free = new FreeNamesOfStms();
    private final Scope types;
    private final NameSource names;
    private final Remarks remarks;

    Bodies(Aliases aliases, Scope types, NameSource names, Remarks remarks) {
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
