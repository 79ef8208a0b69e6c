package futharkc.pass.fusion;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A statement in the dependence graph of a body; edges lead from what must come first. */
final class Node {
  final Stm stm;

  /** What is read only element by element. */
  final Set<Name> inputs = new LinkedHashSet<>();

  /** Everything else that is used. */
  final Set<Name> otherUses = new LinkedHashSet<>();

  /** The roots of what is consumed. */
  final Set<Name> consumed;

  final Set<Node> predecessors = new LinkedHashSet<>();
  final Set<Node> successors = new LinkedHashSet<>();

  /** The place in the current order of the body. */
  int position;

  /** Whether another node has taken this one's place. */
  boolean fused;

  Node(Stm stm, Aliases aliases) {
    this.stm = stm;
    this.consumed = Consumption.of(stm, aliases);
    switch (stm.exp()) {
      case Soac.Screma s -> {
        inputs.addAll(s.inputs());
        otherUses.addAll(FreeNames.of(s.map()));
        otherUses.addAll(FreeNames.of(s.post()));
        for (Soac.Scan o : s.scans()) addOperator(o.op(), o.neutral());
        for (Soac.Reduce o : s.reduces()) addOperator(o.op(), o.neutral());
      }
      case Soac.Hist h -> {
        inputs.addAll(h.inputs());
        otherUses.addAll(FreeNames.of(h.bucket()));
        for (Soac.HistOp o : h.ops()) {
          addOperator(o.op(), o.neutral());
          otherUses.addAll(o.dests());
          o.shape().forEach(this::addOperand);
          addOperand(o.raceFactor());
        }
      }
      default -> otherUses.addAll(FreeNames.of(stm));
    }
    if (!(stm.exp() instanceof Soac soac)) return;
    addOperand(soac.width());
    otherUses.addAll(stm.aux().certs());
    for (PatElem p : stm.pat()) otherUses.addAll(FreeNames.of(p.type()));
  }

  /** The statement that does the work of two; edges are set by the graph. */
  Node(Stm stm, Node first, Node second) {
    this.stm = stm;
    consumed = new HashSet<>(first.consumed);
    consumed.addAll(second.consumed);
    otherUses.addAll(first.otherUses);
    otherUses.addAll(second.otherUses);
    otherUses.removeAll(stm.names());
    inputs.addAll(inputs(stm.exp()));
  }

  private static List<Name> inputs(Exp e) {
    return switch (e) {
      case Soac.Screma s -> s.inputs();
      case Soac.Hist h -> h.inputs();
      default -> List.of();
    };
  }

  private void addOperator(Lambda op, List<SubExp> neutral) {
    otherUses.addAll(FreeNames.of(op));
    neutral.forEach(this::addOperand);
  }

  private void addOperand(SubExp e) {
    if (e instanceof SubExp.Var v) otherUses.add(v.name());
  }

  Soac.@Nullable Screma screma() {
    return stm.exp() instanceof Soac.Screma s ? s : null;
  }

  Soac.@Nullable Hist hist() {
    return stm.exp() instanceof Soac.Hist h ? h : null;
  }

  /** Whether a name is used in any way. */
  boolean uses(Name name) {
    return inputs.contains(name) || otherUses.contains(name);
  }

  /** Whether a result is an accumulator. */
  boolean hasAccumulator(Name result) {
    return stm.pat().stream()
        .anyMatch(p -> p.name().equals(result) && p.type() instanceof Type.Acc);
  }

  @Override
  public String toString() {
    return stm.names().toString();
  }
}
