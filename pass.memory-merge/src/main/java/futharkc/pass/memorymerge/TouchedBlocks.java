package futharkc.pass.memorymerge;

import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.BlockAliases;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which blocks each statement accesses or binds, as classes of a union-find structure: variables
 * that may stand for one block are in one class, and from a move on so are the blocks that have
 * moved and the one that their arrays are in. Of a long body, most statements touch none of the
 * blocks that a copy is about; this says so without a look at their accesses.
 */
final class TouchedBlocks {
  private final FunctionTable table;
  private final BlockAliases aliases;
  private final Map<Name, Name> parents = new HashMap<>();
  private final Map<Stm, Set<Name>> touched = new IdentityHashMap<>();

  TouchedBlocks(FunctionTable table, BlockAliases aliases) {
    this.table = table;
    this.aliases = aliases;
  }

  /** The arrays of some blocks are in another from now on. */
  void move(Iterable<Name> blocks, Name to) {
    for (Name b : blocks) {
      Name from = find(b);
      Name root = find(to);
      if (!from.equals(root)) parents.put(from, root);
    }
  }

  /** Tells the statements that may touch one of these blocks, or bind it: until the next move. */
  Predicate<Stm> touching(Iterable<Name> blocks) {
    Set<Name> classes = new HashSet<>();
    for (Name b : blocks) classes.add(find(b));
    return s -> {
      for (Name b : of(s)) if (classes.contains(find(b))) return true;
      return false;
    };
  }

  private Set<Name> of(Stm s) {
    Set<Name> known = touched.get(s);
    if (known != null) return known;
    Set<Name> blocks = new HashSet<>();
    for (Access a : table.accesses.of(s)) blocks.add(find(a.block()));
    for (Name n : s.names()) if (table.type(n) instanceof Type.Mem) blocks.add(find(n));
    known = Set.copyOf(blocks);
    touched.put(s, known);
    return known;
  }

  private Name find(Name block) {
    Name n = aliases.representative(block);
    for (Name up = parents.get(n); up != null; up = parents.get(n)) n = up;
    return n;
  }
}
