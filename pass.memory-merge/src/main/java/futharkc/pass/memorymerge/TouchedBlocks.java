package futharkc.pass.memorymerge;

import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.BlockAliases;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which blocks each statement accesses or binds, up to aliases: variables that may stand for one
 * block count as one, and a block that has moved as the one that its arrays are in by now. Of a
 * long body, most statements touch none of the blocks that a copy is about; this says so without a
 * look at their accesses.
 */
final class TouchedBlocks {
  private final FunctionTable table;
  private final BlockAliases aliases;

  /** As they were when the statement was first asked about. */
  private final Map<Stm, Set<Name>> touched = new IdentityHashMap<>();

  TouchedBlocks(FunctionTable table, BlockAliases aliases) {
    this.table = table;
    this.aliases = aliases;
  }

  /** Tells the statements that may touch one of these blocks, or bind it: until the next move. */
  Predicate<Stm> touching(Iterable<Name> blocks) {
    Set<Name> wanted = new HashSet<>();
    for (Name b : blocks) wanted.add(now(b));
    return s -> {
      for (Name b : of(s)) if (wanted.contains(now(b))) return true;
      return false;
    };
  }

  private Set<Name> of(Stm s) {
    Set<Name> known = touched.get(s);
    if (known != null) return known;
    Set<Name> blocks = new HashSet<>();
    for (Access a : table.accesses.of(s)) blocks.add(a.block());
    for (Name n : s.names()) if (table.type(n) instanceof Type.Mem) blocks.add(n);
    touched.put(s, blocks);
    return blocks;
  }

  private Name now(Name block) {
    return aliases.representative(table.now(block));
  }
}
