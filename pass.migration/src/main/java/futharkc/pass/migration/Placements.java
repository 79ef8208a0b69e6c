package futharkc.pass.migration;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The placement of the scalars of a function, and the statements that the device evaluates. */
final class Placements {
  private final WeightedGraph graph;
  private final WeightedGraph.Cut cut;
  private final Map<Name, Integer> vertices;
  private final Map<Name, Integer> loops;
  private final Map<Name, Set<Integer>> checked;
  private final Set<Name> literals;
  private final Set<Name> guarded;
  private final Map<Integer, String> reasons;

  /** The first results of loops that move since they update arrays in place. */
  private Set<Name> arrayLoops = Set.of();

  Placements(
      WeightedGraph graph,
      Map<Name, Integer> vertices,
      Map<Name, Integer> loops,
      Map<Name, Set<Integer>> checked,
      Set<Name> literals,
      Set<Name> guarded,
      Map<Integer, String> reasons) {
    this.graph = graph;
    this.cut = graph.cut();
    this.vertices = vertices;
    this.loops = loops;
    this.checked = checked;
    this.literals = literals;
    this.guarded = guarded;
    this.reasons = reasons;
  }

  /** Lets the device evaluate loops that update arrays in place, by their first results. */
  void moveLoops(Set<Name> loops) {
    arrayLoops = loops;
  }

  /** Tests whether the function has nothing to move. */
  boolean isEmpty() {
    return literals.isEmpty() && cut.device().isEmpty() && cut.read().isEmpty();
  }

  /** Returns the placement of a scalar. */
  Placement of(Name n) {
    Integer v = vertices.get(n);
    return v == null ? Placement.HOST : of(v);
  }

  WeightedGraph graph() {
    return graph;
  }

  /** Returns the vertex of a scalar, or null if the device has no part in the scalar. */
  @Nullable Integer vertex(Name n) {
    return vertices.get(n);
  }

  /**
   * Tests whether the host reads a result of a branch or loop only if the device has computed it.
   */
  boolean isGuarded(Name result) {
    return guarded.contains(result);
  }

  /** Returns the placement of a vertex. */
  Placement of(int v) {
    if (cut.read().get(v)) {
      return Placement.READ;
    }
    if (!cut.device().get(v)) {
      return Placement.HOST;
    }
    return graph.isSink(v) ? Placement.READ : Placement.DEVICE;
  }

  /** Tests whether only the device has the value of an operand. */
  boolean isOnDevice(SubExp e) {
    return e instanceof SubExp.Var v && of(v.name()) == Placement.DEVICE;
  }

  private boolean isCheckedOnDevice(Name certificate) {
    for (int v : checked.getOrDefault(certificate, Set.of())) {
      if (of(v) == Placement.DEVICE) {
        return true;
      }
    }
    return false;
  }

  /** Tests whether the device evaluates a statement of the host, as a whole. */
  boolean moves(Stm s) {
    return switch (s.exp()) {
      case BasicOp.Assert _ -> isCheckedOnDevice(s.pat().get(0).name());
      case BasicOp.ArrayLit _ when literals.contains(s.pat().get(0).name()) -> true;
      case BasicOp.Index x when x.slice().isElement() ->
          switch (of(s.pat().get(0).name())) {
            case HOST -> false;
            case DEVICE -> true;
            case READ ->
                x.slice().dims().stream().anyMatch(d -> isOnDevice(((Slice.Fix) d).index()))
                    || waits(s);
          };
      case BasicOp _, Exp.Apply _ -> isComputed(s);
      case Exp.Match m -> {
        List<SubExp> variables =
            m.scrutinees().stream().filter(SubExp.Var.class::isInstance).toList();
        yield !variables.isEmpty() && variables.stream().allMatch(this::isOnDevice);
      }
      case Exp.Loop _ -> {
        Name first = s.pat().get(0).name();
        Integer v = loops.get(first);
        yield v != null && of(v) == Placement.DEVICE || arrayLoops.contains(first);
      }
      case Exp.WithAcc _, Soac _, SegExp _, HostOp _, MemOp _ -> false;
    };
  }

  /** Tests whether a statement depends on checks that the device makes. */
  boolean waits(Stm s) {
    return s.aux().certs().stream().anyMatch(this::isCheckedOnDevice);
  }

  private boolean isComputed(Stm s) {
    for (PatElem p : s.pat()) {
      if (of(p.name()) != Placement.HOST) {
        return true;
      }
    }
    return false;
  }

  /** Tests whether a statement reads one element of an array. */
  static boolean isRead(Stm s) {
    return s.exp() instanceof BasicOp.Index x
        && x.slice().isElement()
        && s.pat().get(0).type() instanceof Type.Prim;
  }

  /** Returns the reason why the host must have a scalar, or a scalar computed from it. */
  String reason(Name n) {
    Integer start = vertices.get(n);
    if (start == null) {
      return "no kernel needs it";
    }
    BitSet seen = new BitSet();
    Deque<Integer> work = new ArrayDeque<>(List.of(start));
    seen.set(start);
    while (!work.isEmpty()) {
      int v = work.remove();
      String reason = reasons.get(v);
      if (reason != null) {
        return (v == start ? "it " : "a value computed from it ") + reason;
      }
      for (int t : graph.targets(v)) {
        if (seen.get(t)) {
          continue;
        }
        seen.set(t);
        work.add(t);
      }
    }
    return "the host computes with it";
  }
}
