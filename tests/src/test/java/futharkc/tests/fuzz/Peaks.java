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
 * What the blocks of a function take at most when each lives from its first to its last use, before
 * and after {@code reuse}, in bytes, where every size is some number; and what they take at least,
 * whoever chooses: what is needed at once between two statements, that is a clique of the
 * interference graph. An array that a statement makes may be where one is that it reads for the
 * last time, so these two are not counted together.
 *
 * @param choices whether at some statement with more than {@code least} several arrays of one size
 *     are made where several die: then it matters which takes the room of which
 */
record Peaks(String function, long least, long before, long after, boolean choices) {
  /**
   * For each function that allocates; not those where loops, branches or calls give a block another
   * name: which one that stands for shows only when the program runs.
   */
  static List<Peaks> of(Program before, Program after) {
    List<Peaks> all = new ArrayList<>();
    for (FunDef f : before.functions().values()) {
      if (hasNames(f)) continue;
      Peaks p = of(f, Objects.requireNonNull(after.functions().get(f.name())));
      if (p.before > 0) all.add(p);
    }
    return all;
  }

  private static Peaks of(FunDef before, FunDef after) {
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
      if (bytes(y.live(i).stream(), spaces) > least) choices |= hasChoice(y.live(i), i);
    }
    return new Peaks(before.name(), least, peak(x, spaces), peak(y, spaces), choices);
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
      if (b.from() == at) count[0]++;
      else if (b.to() == at) count[1]++;
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
        if (s.exp() instanceof MemOp.Alloc a) spaces.put(s.names().get(0), a.space());
        return super.stm(s);
      }
    }.fun(f);
    return spaces;
  }
}
