package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Which array parameters of a loop its body consumes. In the source a loop parameter without a written type is consumed if
 * the body does so; what the body does shows once it is lowered.
 */
final class Consumption {
  private final Map<Name, Set<Name>> roots = new HashMap<>();
  private final Set<Name> consumed = new HashSet<>();
  private final Function<String, List<Boolean>> uniqueResults;

  private Consumption(Function<String, List<Boolean>> uniqueResults) {
    this.uniqueResults = uniqueResults;
  }

  /**
   * Whether each parameter is to be unique: marked so, consumed, or passed on as the next value of one that is.
   *
   * @param uniqueResults which results of a function of that name are unique
   */
  static List<Boolean> unique(
      List<Param> params, Body body, Function<String, List<Boolean>> uniqueResults) {
    List<Boolean> unique = new ArrayList<>(params.stream().map(Param::unique).toList());
    if (params.stream().noneMatch(p -> p.type().rank() > 0)) return unique;
    Consumption c = new Consumption(uniqueResults);
    for (Param p : params) if (p.type().rank() > 0) c.roots.put(p.name(), Set.of(p.name()));
    c.visit(body);
    for (boolean changed = true; changed; ) {
      changed = false;
      for (int i = 0; i < params.size(); i++) {
        if (params.get(i).type().rank() == 0) continue;
        if (!unique.get(i) && c.consumed.contains(params.get(i).name())) {
          unique.set(i, true);
          changed = true;
        }
        if (unique.get(i)) changed |= c.consumed.addAll(c.roots(body.results().get(i)));
      }
    }
    return unique;
  }

  private Set<Name> roots(SubExp e) {
    return e instanceof SubExp.Var v ? roots.getOrDefault(v.name(), Set.of()) : Set.of();
  }

  private Set<Name> roots(Collection<SubExp> es) {
    Set<Name> all = new HashSet<>();
    for (SubExp e : es) all.addAll(roots(e));
    return all;
  }

  private void consume(Name n) {
    consumed.addAll(roots.getOrDefault(n, Set.of()));
  }

  private void visit(Body b) {
    for (Stm s : b.stms()) visit(s);
  }

  private void visit(Stm s) {
    List<PatElem> pat = s.pat();
    switch (s.exp()) {
      case BasicOp op -> basic(op, pat);
      case Exp.Apply a -> {
        List<SubExp> kept = new ArrayList<>();
        for (int i = 0; i < a.args().size(); i++) {
          if (!(a.args().get(i) instanceof SubExp.Var v)) continue;
          if (a.consumed().get(i)) consume(v.name());
          else kept.add(v);
        }
        Set<Name> from = roots(kept);
        List<Boolean> unique = uniqueResults.apply(a.function());
        for (int i = 0; i < pat.size(); i++) if (!unique.get(i)) alias(pat.get(i), from);
      }
      case Exp.Match m -> {
        for (Exp.Case c : m.cases()) visit(c.body());
        visit(m.otherwise());
        for (int i = 0; i < pat.size(); i++) {
          Set<Name> from = new HashSet<>(roots(m.otherwise().results().get(i)));
          for (Exp.Case c : m.cases()) from.addAll(roots(c.body().results().get(i)));
          alias(pat.get(i), from);
        }
      }
      case Exp.Loop l -> {
        for (Exp.LoopParam p : l.params()) {
          if (p.param().unique() && p.init() instanceof SubExp.Var v) consume(v.name());
          else roots.put(p.param().name(), roots(p.init()));
        }
        visit(l.body());
        for (int i = 0; i < pat.size(); i++) {
          Exp.LoopParam p = l.params().get(i);
          Set<Name> from = new HashSet<>(roots(l.body().results().get(i)));
          from.addAll(roots(p.init()));
          if (!p.param().unique()) alias(pat.get(i), from);
        }
      }
      case Exp.WithAcc w -> {
        for (Exp.AccInput in : w.inputs()) in.arrays().forEach(this::consume);
      }
      case Soac.Hist h -> {
        for (Soac.HistOp op : h.ops()) op.dests().forEach(this::consume);
      }
      case Soac x -> {}
      case SegExp x -> {}
      case HostOp x -> {}
      case MemOp x -> {}
    }
  }

  private void basic(BasicOp op, List<PatElem> pat) {
    switch (op) {
      case BasicOp.SubExpOp x -> alias(pat.get(0), roots(x.value()));
      case BasicOp.Opaque x -> alias(pat.get(0), roots(x.value()));
      case BasicOp.Index x -> alias(pat.get(0), roots(SubExp.of(x.array())));
      case BasicOp.FlatIndex x -> alias(pat.get(0), roots(SubExp.of(x.array())));
      case BasicOp.Reshape x -> alias(pat.get(0), roots(SubExp.of(x.array())));
      case BasicOp.Rearrange x -> alias(pat.get(0), roots(SubExp.of(x.array())));
      case BasicOp.Update x -> consume(x.array());
      case BasicOp.FlatUpdate x -> consume(x.array());
      default -> {}
    }
  }

  private void alias(PatElem p, Set<Name> from) {
    if (p.type() instanceof Type.Array && !from.isEmpty()) roots.put(p.name(), from);
  }
}
