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
 * Fuses writes (scatters: accumulations around parallel updates) with what makes their indices and
 * values, and with each other, so that these go through memory once.
 *
 * <pre>{@code
 * let is = screma(n, [xs]) map f
 * let b  = with_acc acc([k], [a])              let b = with_acc acc([k], [a])
 *   do \t acc -> screma(n, [acc, is, vs])  =>    do \t acc -> screma(n, [acc, xs, vs])
 *        map \c i v -> update_acc(c, i, v)            map \c x v -> i = f x; update_acc(c, i, v)
 * }</pre>
 *
 * <p>A producer is a map, scan or reduction of equal width, of which the write takes results
 * element by element. It must not use what the write overwrites, since the elements it reads would
 * be written meanwhile (what of it does not is made a map of its own, if that is cheap: {@link
 * Split}), and nothing between the two may need the one for the other. What of its results is
 * needed elsewhere becomes a further result of the accumulation; so nothing is computed twice.
 * After a scan, the update moves behind it, into the operation's last lambda: a filter is one pass
 * over its data.
 *
 * <p>Where a producer's arrays are flattened (and perhaps transposed before), the write becomes a
 * nest over the arrays as they were: {@link WriteUnflattening}. What is concatenated is written
 * piece by piece: {@link Pieces}. Of a scan that is otherwise looked at only at its end, only that
 * is kept: {@link LastElements}.
 *
 * <p>Two writes are fused side by side if they are of equal width, neither needs a result of the
 * other, neither uses what the other writes, and no producer could have been fused with one of them
 * only.
 *
 * <p>Two writes of one array are fused if their indices are proved never to meet; the first goes if
 * the second is of the same indices: {@link SameTarget}. An index that is proved to be in range is
 * not checked, and a target of which all is written is not filled before: {@link CheckElimination}.
 *
 * <p>Sources: N. Serup, "Extending Futhark with a write construct", 2016, whose two rules are
 * corrected: a producer may not read a target, not even through an alias; its other uses are no
 * obstacle; widths have to be equal.
 *
 * <p>Known gaps: a producer that reads only the very elements that its result replaces is refused;
 * sizes that are equal by a check only, under different names, count as different; nothing is fused
 * through slices.
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
    var remarks = new Remarks(context, function.name());
    Aliases aliases = Aliases.ofIterations(function.body().stms());
    var lasts = new LastElements(LastElements.sums(function), names, remarks);
    Scope scope = Scope.ofAll(program, function);
    var proofs = new IndexProofs(function, scope, names);
    Body fused = new Bodies(aliases, proofs, scope, lasts, names, remarks).body(function.body());
    proofs.learn(fused);
    Body body = new CheckElimination(proofs, remarks).body(fused);
    return body == function.body() ? function : function.withBody(body, names.next());
  }

  /** From the outside in: what was moved into an accumulation is there when its turn comes. */
  private static final class Bodies extends Mapper {
    private Aliases aliases;
    private final IndexProofs proofs;
    private final Scope scope;
    private final LastElements lasts;
    private final NameSource names;
    private final Remarks remarks;

    Bodies(
        Aliases aliases,
        IndexProofs proofs,
        Scope scope,
        LastElements lasts,
        NameSource names,
        Remarks remarks) {
      this.aliases = aliases;
      this.proofs = proofs;
      this.scope = scope;
      this.lasts = lasts;
      this.names = names;
      this.remarks = remarks;
    }

    @Override
    public Body body(Body b) {
      if (b.stms().stream().noneMatch(s -> Write.of(s) != null)) return super.body(b);
      Body split = learn(b, Pieces.split(b, aliases, scope, names, remarks));
      Body fused =
          learn(split, BodyWriteFusion.fuse(split, aliases, proofs, scope, names, remarks));
      return super.body(learn(fused, lasts.body(fused)));
    }

    private Body learn(Body before, Body after) {
      if (after == before) return before;
      aliases = aliases.with(after.stms());
      proofs.learn(after);
      return after;
    }
  }
}
