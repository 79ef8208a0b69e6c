package futharkc.pass.galop;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.ElementAccess;
import futharkc.core.ir.memory.ElementAccesses;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.pass.galop.BlockReaders.Readers;
import futharkc.pass.galop.CopyInsertion.Guard;
import futharkc.pass.galop.Traffic.Placed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
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
  private final ElementAccesses elements;
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
   * @param here their accesses without the copy
   * @param there their accesses with the copy
   * @param before the traffic of these operations without the copy
   * @param after their traffic with the copy, and the traffic of the copy itself
   * @param walks whether threads walk along elements, see {@link Traffic#isWalk}, and no other pass
   *     serves them
   */
  private record Candidate(
      Lmad to,
      List<Stm> users,
      List<Placed> here,
      List<Placed> there,
      double before,
      double after,
      boolean walks) {
    double saving() {
      return before - after;
    }

    String loss() {
      return "a copy in the order "
          + to.order()
          + " of its dimensions would make "
          + Percent.of(after, before)
          + " of the memory traffic";
    }
  }

  LayoutCopies(AnalysedFunction f) {
    this.function = f.function();
    this.memory = f.memory();
    this.bounds = f.bounds();
    this.elements = f.elements();
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
    if (array == null
        || from == null
        || from.lmad().order() == null
        || all.operations().stream().noneMatch(s -> isApart(s, block))) {
      return;
    }
    Candidate best = best(array, from, all, executions, false);
    if (best != null && best.walks()) {
      best = best(array, from, all, executions, true);
    }
    if (best == null) {
      return;
    }
    Guard guard = best.walks() ? guard(array, from, best, all) : null;
    boolean gains =
        traffic.isGain(best.before(), best.after()) && (guard == null || guard.isPossible());
    boolean always = guard == null || guard.isCertain();
    Lmad seen = always ? best.to() : insertion.unknown(best.to());
    String refusal = gains ? refusal(array, from, best, seen, all) : best.loss();
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
    Stm at = all.statement(best.users().getFirst());
    if (guard == null || always) {
      insertion.add(array, best.to(), best.users(), at);
    } else {
      insertion.add(array, best.to(), seen, guard, best.users(), at);
    }
    String what =
        array
            + " is copied in the order "
            + best.to().order()
            + " of its dimensions for "
            + best.users().stream().map(s -> s.pat().get(0).name().toString()).toList()
            + (always ? ": " : " if that is faster for the sizes of a call: up to ")
            + Percent.of(best.after(), best.before())
            + " of the memory traffic";
    context.remark(Remark.Kind.APPLIED, function.name(), at.aux().loc(), what);
  }

  private boolean isApart(Stm operation, Name block) {
    for (ElementAccess a : elements.of(operation)) {
      if (a.place().block().equals(block) && traffic.isApart(a, a.place().lmad())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the copy that saves most; null if no operation gains from a copy.
   *
   * @param crowded whether more threads walk along elements than caches can serve
   */
  private @Nullable Candidate best(
      Name array, ArrayMem from, Readers all, double executions, boolean crowded) {
    List<Integer> order = Objects.requireNonNull(from.lmad().order());
    Candidate best = null;
    for (int last : order.subList(0, order.size() - 1)) {
      Lmad to = Lmad.ordered(Poly.ZERO, from.lmad().shape(), Permutations.withLast(order, last));
      double copy = traffic.copy(from, memory.elem(array).bytes()) * executions;
      Candidate c = candidate(all, from, to, copy, crowded);
      if (!c.users().isEmpty() && (best == null || c.saving() > best.saving())) {
        best = c;
      }
    }
    return best;
  }

  /** Returns the traffic of the operations that gain if an array has another index function. */
  private Candidate candidate(Readers all, ArrayMem from, Lmad to, double copy, boolean crowded) {
    List<Stm> users = new ArrayList<>();
    List<Placed> here = new ArrayList<>();
    List<Placed> there = new ArrayList<>();
    double before = 0;
    double after = copy;
    for (Stm s : all.operations()) {
      if (insertion.isReplaced(s, from.block())) {
        continue;
      }
      List<Placed> was = new ArrayList<>();
      List<Placed> is = new ArrayList<>();
      boolean possible = true;
      for (ElementAccess a : elements.of(s)) {
        if (!a.place().block().equals(from.block())) {
          continue;
        }
        Lmad moved = a.place().lmad().rebase(from.lmad(), to, bounds::provesAtMost);
        possible &= moved != null;
        if (moved != null && !(all.statement(s) == s && traffic.isStaged(a, a.place().lmad()))) {
          was.add(new Placed(a, a.place().lmad()));
          is.add(new Placed(a, moved));
        }
      }
      double now = traffic.of(was, crowded);
      double then = traffic.of(is, crowded);
      if (possible && then < now) {
        users.add(s);
        here.addAll(was);
        there.addAll(is);
        before += now;
        after += then;
      }
    }
    boolean walks =
        here.stream().anyMatch(p -> traffic.isWalk(p.access(), p.lmad()))
            && here.stream().noneMatch(p -> traffic.isStaged(p.access(), p.lmad()));
    return new Candidate(to, users, here, there, before, after, walks);
  }

  /** Returns the condition under which a copy saves enough. */
  private Guard guard(Name array, ArrayMem from, Candidate c, Readers all) {
    Stm at = all.statement(c.users().getFirst());
    Predicate<Name> known = n -> all.isBound(n, at) && Type.I64.equals(memory.type(n));
    Poly copy = traffic.copy(from, memory.elem(array).bytes(), known);
    Poly after = traffic.polynomial(c.there(), false, known, all.loops()).plus(copy);
    Poly gain = traffic.polynomial(c.here(), false, known, all.loops());
    Poly crowded = traffic.polynomial(c.here(), true, known, all.loops());
    Poly threads = Poly.ZERO;
    int most = 1;
    for (Stm s : c.users()) {
      int walks = traffic.walks(s);
      if (walks > most) {
        most = walks;
        threads = traffic.threads(s, known).times(walks);
      }
    }
    return new Guard(
        traffic.margin(gain, after),
        threads.isZero() ? Poly.ZERO : traffic.margin(crowded, after),
        threads,
        traffic.context.number(Traffic.WALKS));
  }

  private @Nullable String refusal(Name array, ArrayMem from, Candidate c, Lmad seen, Readers all) {
    if (!all.isBound(array, all.statement(c.users().getFirst()))) {
      return "a copy would stand before the array";
    }
    if (!all.isUnchanged(from.block(), c.users())) {
      return "its elements change between the operations that read it";
    }
    return insertion.isPossible(c.users(), from, seen) ? null : "a view of it has another shape";
  }
}
