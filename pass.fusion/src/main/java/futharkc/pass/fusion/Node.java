package futharkc.pass.fusion;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
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
    this(stm, Consumption.of(stm, aliases));
  }

  /** The statement that does the work of two; edges are set by the graph. */
  Node(Stm stm, Node first, Node second) {
    this.stm = stm;
    consumed = new HashSet<>(first.consumed);
    consumed.addAll(second.consumed);
    otherUses.addAll(first.otherUses);
    otherUses.addAll(second.otherUses);
    inputs.addAll(inputs(stm.exp()));
  }

  /**
   * The statement that does the work of some.
   *
   * @param consumed the roots of what they consume
   */
  Node(Stm stm, Set<Name> consumed) {
    this.stm = stm;
    this.consumed = consumed;
    inputs.addAll(inputs(stm.exp()));
    otherUses.addAll(FreeNames.of(stm.withExp(withoutInputs(stm.exp()))));
  }

  /** What an operation reads only element by element, as it lists it. */
  static List<Name> inputs(Exp e) {
    return switch (e) {
      case Soac.Screma s -> s.inputs();
      case Soac.Hist h -> h.inputs();
      case Soac.Stream s -> s.inputs();
      default -> List.of();
    };
  }

  private static Exp withoutInputs(Exp e) {
    List<Name> none = List.of();
    return switch (e) {
      case Soac.Screma s ->
          new Soac.Screma(s.width(), none, s.map(), s.scans(), s.reduces(), s.post());
      case Soac.Hist h -> new Soac.Hist(h.width(), none, h.ops(), h.bucket());
      case Soac.Stream s -> new Soac.Stream(s.width(), none, s.accs(), s.lambda());
      default -> e;
    };
  }

  /** How many statements a map, with what follows its scans, is of; 0 for other operations. */
  int size() {
    Soac.Screma s = screma();
    return s == null ? 0 : s.map().body().stms().size() + s.post().body().stms().size();
  }

  Soac.@Nullable Screma screma() {
    return stm.exp() instanceof Soac.Screma s ? s : null;
  }

  Soac.@Nullable Stream stream() {
    return stm.exp() instanceof Soac.Stream s ? s : null;
  }

  Soac.@Nullable Hist hist() {
    return stm.exp() instanceof Soac.Hist h ? h : null;
  }

  /** What the source says about how to run it: fused, it would be said of both. */
  List<String> schedule() {
    return stm.aux().attrs().stream().filter(a -> a.startsWith("sequential")).toList();
  }

  @Override
  public String toString() {
    return stm.names().toString();
  }
}
