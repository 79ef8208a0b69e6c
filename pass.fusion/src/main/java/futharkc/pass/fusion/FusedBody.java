package futharkc.pass.fusion;

import futharkc.core.ir.Body;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Scope;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.FreeNamesOfStms;

/**
 * A body whose statements have been fused, but not what is inside them; with the aliases of what
 * they bind.
 */
record FusedBody(Body body, Aliases aliases) {
  /** All that is done to the statements of one body. */
  static FusedBody fuse(
      Body b, Aliases known, FreeNamesOfStms free, Scope types, NameSource names, Remarks remarks) {
    FusedBody fused = withoutBranches(b, known, free, types, names, remarks);
    Body out = TailDuplication.move(fused.body, fused.aliases, free, types, names, remarks);
    return fused.with(out);
  }

  /** The same, but for operations on what branches give. */
  static FusedBody withoutBranches(
      Body b, Aliases known, FreeNamesOfStms free, Scope types, NameSource names, Remarks remarks) {
    FusedBody level = new FusedBody(b, known);
    level = level.with(InputForwarding.improve(b, known, free, types, names));
    level = level.with(Transforms.move(level.body, level.aliases, free, types, names, remarks));
    Body fused = BodyFusion.fuse(level.body, level.aliases, names, remarks);
    if (fused != level.body) types.addAll(fused);
    level = level.with(fused);
    level = level.with(IntoLoops.move(level.body, level.aliases, free, types, remarks));
    return level.with(BranchSinking.move(level.body, level.aliases, free, remarks));
  }

  private FusedBody with(Body changed) {
    return changed == body ? this : new FusedBody(changed, aliases.with(changed.stms()));
  }
}
