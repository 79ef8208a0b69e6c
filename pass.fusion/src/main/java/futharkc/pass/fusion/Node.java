package futharkc.pass.fusion;

import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
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
    if (!(stm.exp() instanceof Soac.Screma s)) {
      otherUses.addAll(FreeNames.of(stm));
      return;
    }
    inputs.addAll(s.inputs());
    otherUses.addAll(FreeNames.of(s.map()));
    otherUses.addAll(FreeNames.of(s.post()));
    for (Soac.Scan o : s.scans()) addOperator(o.op(), o.neutral());
    for (Soac.Reduce o : s.reduces()) addOperator(o.op(), o.neutral());
    addOperand(s.width());
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
    inputs.addAll(((Soac.Screma) stm.exp()).inputs());
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
