package futharkc.pass.fusion;

import futharkc.core.ir.Body;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Scope;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.FreeNamesOfStms;

/**
 * A body with its statements fused, and the aliases of the names that these bind. Nested bodies are
 * unchanged.
 */
record FusedBody(Body body, Aliases aliases) {
  /** Applies all transformations to the statements of one body. */
  static FusedBody fuse(
      Body b,
      Aliases known,
      FreeNamesOfStms free,
      Scope types,
      NameSource names,
      FusionRemarks remarks) {
    FusedBody fused = withoutBranches(b, known, free, types, names, remarks);
    Body out = TailDuplication.move(fused.body, fused.aliases, free, types, names, remarks);
    return fused.with(out);
  }

  /** Applies all transformations except the moves into branches. */
  static FusedBody withoutBranches(
      Body b,
      Aliases known,
      FreeNamesOfStms free,
      Scope types,
      NameSource names,
      FusionRemarks remarks) {
    FusedBody level = new FusedBody(b, known);
    level = level.with(InputForwarding.improve(b, known, free, types, names));
    level = level.with(Transforms.move(level.body, level.aliases, free, types, names, remarks));
    Body fused = BodyFusion.fuse(level.body, level.aliases, names, remarks);
    if (fused != level.body) {
      types.addAll(fused);
    }
    level = level.with(fused);
    level = level.with(LoopSinking.move(level.body, level.aliases, free, types, remarks));
    return level.with(BranchSinking.move(level.body, level.aliases, free, remarks));
  }

  private FusedBody with(Body changed) {
    return changed == body ? this : new FusedBody(changed, aliases.with(changed.stms()));
  }
}
