package futharkc.pass.galop;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.memory.ElementAccess;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import futharkc.core.ir.symbolic.Bounds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Copies of arrays in another order of dimensions, for operations that read each element several
 * times. A copy stands before the host's loops around the operations, in the branch that contains
 * them, and serves all of them. Only arrays that the function never writes to are copied.
 */
final class LayoutCopies {
  private final FunDef function;
  private final FunctionMemory memory;
  private final Bounds bounds;
  private final Traffic traffic;
  private final PassContext context;
  private final CopyInsertion insertion;
  private final Map<Stm, List<ElementAccess>> accesses = new IdentityHashMap<>();
  private final Set<Name> written = new HashSet<>();

  LayoutCopies(AnalysedFunction f) {
    this.function = f.function();
    this.memory = f.memory();
    this.bounds = f.bounds();
    this.traffic = f.traffic();
    this.context = f.context();
    this.insertion = new CopyInsertion(f.function(), f.memory(), f.bounds());
    for (ElementAccess a : f.accesses()) {
      if (a.operation() != null) {
        accesses.computeIfAbsent(a.operation(), s -> new ArrayList<>()).add(a);
      }
      if (a.kind() != ElementAccess.Kind.READ) {
        written.add(a.place().block());
      }
    }
  }

  FunDef run() {
    body(function.body(), 1);
    return insertion.apply();
  }

  // Decisions

  /**
   * Chooses copies in a body of the host.
   *
   * @param executions the estimated number of executions of the body
   */
  private void body(Body b, double executions) {
    Map<Name, Map<Stm, Stm>> readers = new LinkedHashMap<>();
    for (Stm s : b.stms()) {
      collect(s, s, readers);
    }
    for (Map.Entry<Name, Map<Stm, Stm>> e : readers.entrySet()) {
      context.checkCancelled();
      choose(e.getKey(), e.getValue(), executions);
    }
    for (Stm s : b.stms()) {
      inside(s, executions);
    }
  }

  private void inside(Stm s, double executions) {
    switch (s.exp()) {
      case Exp.Match m -> {
        double each = executions / (m.cases().size() + 1);
        m.cases().forEach(c -> body(c.body(), each));
        body(m.otherwise(), each);
      }
      case Exp.Loop l -> {
        SubExp trips = l.form() instanceof Exp.Form.For f ? f.bound() : null;
        body(l.body(), executions * traffic.trips(trips));
      }
      case SegExp.ParOp p when p.nested() != null -> body(p.nested(), executions);
      default -> {}
    }
  }

  /**
   * Collects the operations that read each block, with the statement of the body that contains
   * them. Branches of the body itself are bodies of their own; those in loops are not, so that a
   * copy can stand before the loop.
   */
  private void collect(Stm at, Stm s, Map<Name, Map<Stm, Stm>> readers) {
    switch (s.exp()) {
      case SegExp.Seg x -> reader(at, s, readers);
      case SegExp.ParOp x -> reader(at, s, readers);
      case Exp.Loop l -> l.body().stms().forEach(t -> collect(at, t, readers));
      case Exp.Match m when at != s -> {
        m.cases().forEach(c -> c.body().stms().forEach(t -> collect(at, t, readers)));
        m.otherwise().stms().forEach(t -> collect(at, t, readers));
      }
      default -> {}
    }
  }

  private void reader(Stm at, Stm s, Map<Name, Map<Stm, Stm>> readers) {
    for (ElementAccess a : accesses.getOrDefault(s, List.of())) {
      Name block = a.place().block();
      if (a.kind() == ElementAccess.Kind.READ
          && !written.contains(block)
          && !insertion.isReplaced(s, block)) {
        readers.computeIfAbsent(block, n -> new LinkedHashMap<>()).put(s, at);
      }
    }
  }

  private void choose(Name block, Map<Stm, Stm> readers, double executions) {
    Name array = memory.leading(block);
    ArrayMem from = array == null ? null : memory.place(array);
    List<Integer> order = from == null ? null : from.lmad().order();
    if (array == null || from == null || order == null) {
      return;
    }
    if (!isBefore(array, readers)) {
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
      for (Stm s : readers.keySet()) {
        List<Traffic.Placed> here = new ArrayList<>();
        List<Traffic.Placed> in = new ArrayList<>();
        boolean possible = true;
        for (ElementAccess a : accesses.getOrDefault(s, List.of())) {
          if (!a.place().block().equals(block)) {
            continue;
          }
          Lmad moved = a.place().lmad().rebase(from.lmad(), to, bounds::provesAtMost);
          possible &= moved != null;
          if (moved != null && !(readers.get(s) == s && traffic.isStaged(a, a.place().lmad()))) {
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
    if (!insertion.isPossible(chosen, from, best) || !context.mayChange()) {
      return;
    }
    context.countChange();
    Stm at = Objects.requireNonNull(readers.get(chosen.get(0)));
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

  /** Tests whether an array is bound before all its readers. */
  private boolean isBefore(Name array, Map<Stm, Stm> readers) {
    for (Stm at : readers.values()) {
      if (memory.bound(at).contains(array)) {
        return false;
      }
    }
    return true;
  }
}
