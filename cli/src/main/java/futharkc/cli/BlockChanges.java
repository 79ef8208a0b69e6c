package futharkc.cli;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.memory.BlockLiveRanges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A record of the memory blocks that passes add and remove, for each function. */
final class BlockChanges {
  private final Map<String, Set<String>> blocks = new LinkedHashMap<>();
  private final Map<String, List<Change>> changes = new LinkedHashMap<>();

  /**
   * A change of one block.
   *
   * @param block the name of the block
   * @param pass the pass that made the change
   * @param added true if the pass added the block; false if the pass removed it
   */
  record Change(String block, String pass, boolean added) {}

  /** Records the blocks of a program without attributing them to a pass. */
  void start(Program program) {
    program.functions().values().forEach(f -> blocks.put(f.name(), allocated(f)));
  }

  /** Compares a program with the program before the pass, and records the differences. */
  void after(String pass, Program program) {
    for (FunDef f : program.functions().values()) {
      Set<String> now = allocated(f);
      Set<String> before = blocks.getOrDefault(f.name(), Set.of());
      List<Change> mine = changes.computeIfAbsent(f.name(), n -> new ArrayList<>());
      for (String block : before) {
        if (!now.contains(block)) {
          mine.add(new Change(block, pass, false));
        }
      }
      for (String block : now) {
        if (!before.contains(block)) {
          mine.add(new Change(block, pass, true));
        }
      }
      blocks.put(f.name(), now);
    }
  }

  /** Returns the changes of a function's blocks, in the order of the passes. */
  List<Change> of(String function) {
    return changes.getOrDefault(function, List.of());
  }

  private static Set<String> allocated(FunDef f) {
    return BlockLiveRanges.of(f).blocks().stream()
        .filter(b -> b.size() != null)
        .map(b -> b.name().toString())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
