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
import java.util.List;

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

  private void choose(Name block, Readers all, double executions) {
    context.checkCancelled();
    Name array = memory.leading(block);
    ArrayMem from = array == null ? null : memory.place(array);
    List<Integer> order = from == null ? null : from.lmad().order();
    if (array == null || from == null || order == null) {
      return;
    }
    Lmad best = null;
    List<Stm> chosen = List.of();
    double least = 0;
    double now = 0;
    for (int last : order.subList(0, order.size() - 1)) {
      Lmad to = Lmad.ordered(Poly.ZERO, from.lmad().shape(), Permutations.withLast(order, last));
      List<Stm> users = new ArrayList<>();
      double was = 0;
      double is = traffic.copy(from, memory.elem(array).bytes()) * executions;
      for (Stm s : all.operations()) {
        if (insertion.isReplaced(s, block)) {
          continue;
        }
        List<Traffic.Placed> here = new ArrayList<>();
        List<Traffic.Placed> in = new ArrayList<>();
        boolean possible = true;
        for (ElementAccess a : readers.accesses(s)) {
          if (!a.place().block().equals(block)) {
            continue;
          }
          Lmad moved = a.place().lmad().rebase(from.lmad(), to, bounds::provesAtMost);
          possible &= moved != null;
          if (moved != null && !(all.statement(s) == s && traffic.isStaged(a, a.place().lmad()))) {
            here.add(new Traffic.Placed(a, a.place().lmad()));
            in.add(new Traffic.Placed(a, moved));
          }
        }
        double old = traffic.of(here);
        double there = traffic.of(in);
        if (possible && there < old) {
          users.add(s);
          was += old;
          is += there;
        }
      }
      if (traffic.isGain(was, is) && (best == null || is - was < least - now)) {
        best = to;
        chosen = users;
        least = is;
        now = was;
      }
    }
    if (best == null) {
      return;
    }
    Stm at = all.statement(chosen.getFirst());
    if (!all.isBound(array, at)
        || !all.isUnchanged(block, chosen)
        || !insertion.isPossible(chosen, from, best)
        || !context.mayChange()) {
      return;
    }
    context.countChange();
    insertion.add(array, best, chosen, at);
    String what =
        array
            + " is copied in the order "
            + best.order()
            + " of its dimensions for "
            + chosen.stream().map(s -> s.pat().get(0).name().toString()).toList()
            + ": "
            + Percent.of(least, now)
            + " of the memory traffic";
    context.remark(Remark.Kind.APPLIED, function.name(), at.aux().loc(), what);
  }
}
