package futharkc.pass.galop;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.ElementAccess;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.pass.galop.BlockReaders.Readers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Copies of arrays in another order of dimensions, for operations that read each element several
 * times. A copy stands before the host's loops around the operations, in the branch that contains
 * them, and serves all of them. Nothing may write to the array between the copy and the last of the
 * operations.
 */
final class LayoutCopies {
  private final FunDef function;
  private final FunctionMemory memory;
  private final Bounds bounds;
  private final Traffic traffic;
  private final PassContext context;
  private final CopyInsertion insertion;
  private final BlockReaders readers;

  /** The reasons against copies, keyed by operation and block. */
  private final Map<Stm, Map<Name, String>> refusals = new IdentityHashMap<>();

  /**
   * A copy.
   *
   * @param to the index function of the copy
   * @param users the operations that read the copy
   * @param before the traffic of these operations without the copy
   * @param after their traffic with the copy, and the traffic of the copy itself
   */
  private record Candidate(Lmad to, List<Stm> users, double before, double after) {
    double saving() {
      return before - after;
    }
  }

  LayoutCopies(AnalysedFunction f) {
    this.function = f.function();
    this.memory = f.memory();
    this.bounds = f.bounds();
    this.traffic = f.traffic();
    this.context = f.context();
    this.insertion = new CopyInsertion(f.function(), f.memory(), f.bounds());
    this.readers = new BlockReaders(f, this::choose);
  }

  FunDef run() {
    readers.visit(function);
    return insertion.apply();
  }

  /** Returns the reason why an operation reads no copy of a block; null if it reads one. */
  @Nullable String refusal(Stm operation, Name block) {
    if (insertion.isReplaced(operation, block)) {
      return null;
    }
    String why = refusals.getOrDefault(operation, Map.of()).get(block);
    return why != null ? why : "another layout would not help it";
  }

  private void choose(Name block, Readers all, double executions) {
    context.checkCancelled();
    Name array = memory.leading(block);
    ArrayMem from = array == null ? null : memory.place(array);
    List<Integer> order = from == null ? null : from.lmad().order();
    if (array == null || from == null || order == null) {
      return;
    }
    Candidate best = null;
    for (int last : order.subList(0, order.size() - 1)) {
      Lmad to = Lmad.ordered(Poly.ZERO, from.lmad().shape(), Permutations.withLast(order, last));
      double copy = traffic.copy(from, memory.elem(array).bytes()) * executions;
      Candidate c = candidate(block, all, from, to, copy);
      if (!c.users().isEmpty() && (best == null || c.saving() > best.saving())) {
        best = c;
      }
    }
    if (best == null) {
      return;
    }
    Stm at = all.statement(best.users().getFirst());
    String refusal = refusal(array, from, best, all);
    if (refusal != null) {
      for (Stm s : best.users()) {
        refusals.computeIfAbsent(s, k -> new HashMap<>()).putIfAbsent(block, refusal);
      }
      return;
    }
    if (!context.mayChange()) {
      return;
    }
    context.countChange();
    insertion.add(array, best.to(), best.users(), at);
    String what =
        array
            + " is copied in the order "
            + best.to().order()
            + " of its dimensions for "
            + best.users().stream().map(s -> s.pat().get(0).name().toString()).toList()
            + ": "
            + Percent.of(best.after(), best.before())
            + " of the memory traffic";
    context.remark(Remark.Kind.APPLIED, function.name(), at.aux().loc(), what);
  }

  /** Returns the traffic of the operations that gain if an array has another index function. */
  private Candidate candidate(Name block, Readers all, ArrayMem from, Lmad to, double copy) {
    List<Stm> users = new ArrayList<>();
    double before = 0;
    double after = copy;
    for (Stm s : all.operations()) {
      if (insertion.isReplaced(s, block)) {
        continue;
      }
      List<Traffic.Placed> here = new ArrayList<>();
      List<Traffic.Placed> there = new ArrayList<>();
      boolean possible = true;
      for (ElementAccess a : readers.accesses(s)) {
        if (!a.place().block().equals(block)) {
          continue;
        }
        Lmad moved = a.place().lmad().rebase(from.lmad(), to, bounds::provesAtMost);
        possible &= moved != null;
        if (moved != null && !(all.statement(s) == s && traffic.isStaged(a, a.place().lmad()))) {
          here.add(new Traffic.Placed(a, a.place().lmad()));
          there.add(new Traffic.Placed(a, moved));
        }
      }
      double now = traffic.of(here);
      double then = traffic.of(there);
      if (possible && then < now) {
        users.add(s);
        before += now;
        after += then;
      }
    }
    return new Candidate(to, users, before, after);
  }

  private @Nullable String refusal(Name array, ArrayMem from, Candidate c, Readers all) {
    if (!traffic.isGain(c.before(), c.after())) {
      return "a copy in the order "
          + c.to().order()
          + " of its dimensions would make "
          + Percent.of(c.after(), c.before())
          + " of the memory traffic";
    }
    if (!all.isBound(array, all.statement(c.users().getFirst()))) {
      return "a copy would stand before the array";
    }
    if (!all.isUnchanged(from.block(), c.users())) {
      return "its elements change between the operations that read it";
    }
    return insertion.isPossible(c.users(), from, c.to()) ? null : "a view of it has another shape";
  }
}
