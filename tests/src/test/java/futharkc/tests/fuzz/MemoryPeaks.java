package futharkc.tests.fuzz;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.BlockLiveRanges;
import futharkc.core.ir.memory.BlockLiveRanges.Block;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The peak memory of a function's blocks in bytes, before and after {@code reuse}, if each block
 * lives from its first to its last use. Sizes have arbitrary values. The lower bound for every
 * assignment is the largest clique of the interference graph: the blocks that are live at the same
 * time between two statements. A statement may write its result over an operand that dies there, so
 * the bound does not count both.
 *
 * @param least the lower bound in bytes
 * @param before the peak before {@code reuse} in bytes
 * @param after the peak after {@code reuse} in bytes
 * @param choices true if a statement above the bound creates several arrays of one size while
 *     several die, so that the assignment of arrays to blocks matters
 */
record MemoryPeaks(String function, long least, long before, long after, boolean choices) {
  /**
   * Returns the peaks of each function that allocates. Functions in which loops, branches or calls
   * rename a block are omitted, because its identity is known only at run time.
   */
  static List<MemoryPeaks> of(Program before, Program after) {
    List<MemoryPeaks> all = new ArrayList<>();
    for (FunDef f : before.functions().values()) {
      if (hasNames(f)) {
        continue;
      }
      MemoryPeaks p = of(f, Objects.requireNonNull(after.functions().get(f.name())));
      if (p.before > 0) {
        all.add(p);
      }
    }
    return all;
  }

  private static MemoryPeaks of(FunDef before, FunDef after) {
    BlockLiveRanges x = BlockLiveRanges.of(before);
    BlockLiveRanges y = BlockLiveRanges.of(after);
    Map<Name, Space> spaces = spaces(before);
    long least = 0;
    for (int i = 0; i <= x.statements(); i++) {
      int at = i;
      long into = bytes(x.live(i).stream().filter(b -> b.from() < at), spaces);
      long out = bytes(x.live(i).stream().filter(b -> b.from() == at || b.to() > at), spaces);
      least = Math.max(least, Math.max(into, out));
    }
    boolean choices = false;
    for (int i = 0; i <= y.statements(); i++) {
      if (bytes(y.live(i).stream(), spaces) > least) {
        choices |= hasChoice(y.live(i), i);
      }
    }
    return new MemoryPeaks(before.name(), least, peak(x, spaces), peak(y, spaces), choices);
  }

  private static boolean hasNames(FunDef f) {
    boolean[] found = {false};
    new Mapper() {
      @Override
      public Stm stm(Stm s) {
        boolean block = s.pat().stream().anyMatch(p -> p.type() instanceof Type.Mem);
        found[0] |= block && !(s.exp() instanceof MemOp.Alloc);
        return super.stm(s);
      }
    }.fun(f);
    return found[0];
  }

  private static boolean hasChoice(List<Block> live, int at) {
    Map<Poly, int[]> classes = new TreeMap<>();
    for (Block b : live) {
      int[] count = classes.computeIfAbsent(Objects.requireNonNull(b.size()), k -> new int[2]);
      if (b.from() == at) {
        count[0]++;
      } else if (b.to() == at) {
        count[1]++;
      }
    }
    return classes.values().stream().anyMatch(c -> c[0] > 1 && c[1] > 1);
  }

  private static long peak(BlockLiveRanges l, Map<Name, Space> spaces) {
    long most = 0;
    for (int i = 0; i <= l.statements(); i++) {
      most = Math.max(most, bytes(l.live(i).stream(), spaces));
    }
    return most;
  }

  private static long bytes(Stream<Block> blocks, Map<Name, Space> spaces) {
    return blocks.mapToLong(b -> bytes(b, spaces.get(b.name()))).sum();
  }

  private static long bytes(Block b, @Nullable Space space) {
    Poly size = Objects.requireNonNull(b.size()).substitute(n -> Poly.of(50 + n.hashCode() % 50));
    long n = Math.max(0, Objects.requireNonNull(size.constant()));
    return space instanceof Space.Elements e ? n * e.elem().bytes() : n;
  }

  private static Map<Name, Space> spaces(FunDef f) {
    Map<Name, Space> spaces = new HashMap<>();
    new Mapper() {
      @Override
      public Stm stm(Stm s) {
        if (s.exp() instanceof MemOp.Alloc a) {
          spaces.put(s.names().get(0), a.space());
        }
        return super.stm(s);
      }
    }.fun(f);
    return spaces;
  }
}
