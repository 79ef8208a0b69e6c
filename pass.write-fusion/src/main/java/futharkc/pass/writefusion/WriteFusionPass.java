package futharkc.pass.writefusion;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Scope;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Fuses writes with the producers of their indices and values, and with each other, so that these
 * arrays are read and written once. A write is a scatter: an accumulation with parallel updates.
 *
 * <pre>{@code
 * let is = screma(n, [xs]) map f
 * let b  = with_acc acc([k], [a])              let b = with_acc acc([k], [a])
 *   do \t acc -> screma(n, [acc, is, vs])  =>    do \t acc -> screma(n, [acc, xs, vs])
 *        map \c i v -> update_acc(c, i, v)            map \c x v -> i = f x; update_acc(c, i, v)
 * }</pre>
 *
 * <p>A producer is a map, scan or reduction of equal width, whose results are inputs of the write.
 * It must not read an array that the write overwrites, because the fused operation would read
 * elements after their update. If the reads are cheap to separate, {@link Split} moves them to
 * another map. No statement between the two may depend on the producer and be used by the write.
 * Results with other uses become additional results of the accumulation, so fusion duplicates no
 * work. The update moves behind a scan, into the operation's post function. So a filter is one pass
 * over its data.
 *
 * <p>If a producer's arrays are flattened, and perhaps transposed before, the write becomes a nest
 * over the original arrays: {@link WriteUnflattening}. The write of a concatenation becomes a write
 * of its operands: {@link ConcatenationWrites}. If only the last element of a scan has a use, only
 * that element is stored: {@link LastElements}.
 *
 * <p>Two writes of equal width are fused if neither uses a result of the other, and neither reads
 * an array that the other writes. The fusion must not prevent the fusion with a producer.
 *
 * <p>Two writes of one array are fused if their indices are proved disjoint. If their indices are
 * equal, the first is removed: {@link SameTarget}. An index proved in range gets no check, and a
 * target that is overwritten completely gets no initial values: {@link CheckElimination}.
 *
 * <p>Sources: N. Serup, "Extending Futhark with a write construct", 2016, with corrections of its
 * two rules: a producer must not read a target, not even through an alias; other uses of the
 * producer are permitted; widths must be equal.
 *
 * <p>Known gaps: the pass rejects a producer that reads only the elements that its result replaces.
 * Sizes with different names count as different, even if a check proves them equal. Slices prevent
 * fusion.
 */
public final class WriteFusionPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "write-fusion", "fuses writes with their producers and with each other", Rep.SOACS)
        .destroys(Property.SIMPLIFIED)
        .prefers(Property.DIFFERENTIATED, Property.FUSED)
        .after("inline", "simplify", "fusion");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    var names = new NameSource(function.nextTag());
    var remarks = new WriteFusionRemarks(context, function.name());
    Aliases aliases = Aliases.ofIterations(function.body().stms());
    var lasts = new LastElements(LastElements.sums(function), names, remarks);
    Scope scope = Scope.ofAll(program, function);
    var proofs = new IndexProofs(function, scope, names);
    Body fused = new Bodies(aliases, proofs, scope, lasts, names, remarks).body(function.body());
    proofs.learn(fused);
    Body body = new CheckElimination(proofs, remarks).body(fused);
    return body == function.body() ? function : function.withBody(body, names.next());
  }

  /**
   * A traversal from outer to inner bodies, so that it visits operations that have moved into an
   * accumulation.
   */
  private static final class Bodies extends Mapper {
    private Aliases aliases;
    private final IndexProofs proofs;
    private final Scope scope;
    private final LastElements lasts;
    private final NameSource names;
    private final WriteFusionRemarks remarks;

    Bodies(
        Aliases aliases,
        IndexProofs proofs,
        Scope scope,
        LastElements lasts,
        NameSource names,
        WriteFusionRemarks remarks) {
      this.aliases = aliases;
      this.proofs = proofs;
      this.scope = scope;
      this.lasts = lasts;
      this.names = names;
      this.remarks = remarks;
    }

    @Override
    public Body body(Body b) {
      if (b.stms().stream().noneMatch(s -> Write.of(s) != null)) {
        return super.body(b);
      }
      Body split = learn(b, ConcatenationWrites.split(b, aliases, scope, names, remarks));
      Body fused =
          learn(split, BodyWriteFusion.fuse(split, aliases, proofs, scope, names, remarks));
      return super.body(learn(fused, lasts.body(fused)));
    }

    private Body learn(Body before, Body after) {
      if (after == before) {
        return before;
      }
      aliases = aliases.with(after.stms());
      proofs.learn(after);
      return after;
    }
  }
}
