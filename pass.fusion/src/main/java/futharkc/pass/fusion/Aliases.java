package futharkc.pass.fusion;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which arrays may share memory, as sets of roots: arrays that are made afresh, or come from
 * outside. Two names may share memory only if they have a root in common. Conservative: parts of
 * one array count as sharing.
 */
final class Aliases {
  private final Map<Name, Set<Name>> roots = new HashMap<>();

  /** The roots of a name; scalars are their own. */
  Set<Name> roots(Name name) {
    return roots.getOrDefault(name, Set.of(name));
  }

  /** Whether two names may share memory. */
  boolean mayAlias(Name a, Name b) {
    if (a.equals(b)) return true;
    Set<Name> other = roots(b);
    return roots(a).stream().anyMatch(other::contains);
  }

  /**
   * Learns of everything bound in a body, at any depth; what it knows already of these names is
   * replaced.
   */
  void add(Body body) {
    for (Stm s : body.stms()) add(s);
  }

  private void add(Stm s) {
    switch (s.exp()) {
      case BasicOp op -> addBasic(s, op);
      case Exp.Apply a -> {
        Set<Name> args = new LinkedHashSet<>();
        for (int i = 0; i < a.args().size(); i++) {
          if (!a.consumed().get(i)) args.addAll(roots(a.args().get(i)));
        }
        for (PatElem p : s.pat()) derive(p, args);
      }
      case Exp.Match m -> {
        for (Exp.Case c : m.cases()) add(c.body());
        add(m.otherwise());
        for (int i = 0; i < s.pat().size(); i++) {
          Set<Name> results = new LinkedHashSet<>(roots(m.otherwise().results().get(i)));
          for (Exp.Case c : m.cases()) results.addAll(roots(c.body().results().get(i)));
          derive(s.pat().get(i), results);
        }
      }
      case Exp.Loop l -> {
        for (Exp.LoopParam p : l.params()) param(p.param(), roots(p.init()));
        add(l.body());
        for (int i = 0; i < s.pat().size(); i++) {
          Exp.LoopParam p = l.params().get(i);
          Set<Name> results = new LinkedHashSet<>(roots(p.init()));
          results.addAll(roots(l.body().results().get(i)));
          derive(s.pat().get(i), results);
        }
      }
      case Exp.WithAcc w -> {
        lambda(w.lambda(), List.of());
        int i = 0;
        for (Exp.AccInput in : w.inputs()) {
          for (Name array : in.arrays()) derive(s.pat().get(i++), roots(array));
        }
      }
      case Soac soac -> addSoac(s, soac);
      default -> new Nested(this).exp(s.exp());
    }
  }

  private void addBasic(Stm s, BasicOp op) {
    PatElem p = s.pat().get(0);
    switch (op) {
      case BasicOp.SubExpOp x -> derive(p, roots(x.value()));
      case BasicOp.Opaque x -> derive(p, roots(x.value()));
      case BasicOp.Index x -> derive(p, roots(x.array()));
      case BasicOp.FlatIndex x -> derive(p, roots(x.array()));
      case BasicOp.Reshape x -> derive(p, roots(x.array()));
      case BasicOp.Rearrange x -> derive(p, roots(x.array()));
      case BasicOp.Update x -> derive(p, roots(x.array()));
      case BasicOp.FlatUpdate x -> derive(p, roots(x.array()));
      case BasicOp.UpdateAcc x -> derive(p, roots(x.acc()));
      default -> roots.remove(p.name());
    }
  }

  private void addSoac(Stm s, Soac soac) {
    switch (soac) {
      case Soac.Screma x -> {
        lambda(x.map(), x.inputs());
        for (Soac.Scan o : x.scans()) lambda(o.op(), List.of());
        for (Soac.Reduce o : x.reduces()) lambda(o.op(), List.of());
        lambda(x.post(), List.of());
        for (PatElem p : s.pat()) {
          if (!(p.type() instanceof Type.Acc)) roots.remove(p.name());
          else derive(p, accRoots(x.inputs()));
        }
      }
      case Soac.Hist x -> {
        for (Soac.HistOp o : x.ops()) lambda(o.op(), List.of());
        lambda(x.bucket(), x.inputs());
        int i = 0;
        for (Soac.HistOp o : x.ops()) {
          for (Name dest : o.dests()) derive(s.pat().get(i++), roots(dest));
        }
      }
      case Soac.FlatMap x -> lambda(x.lambda(), x.inputs());
      default -> {
        new Nested(this).exp(soac);
        Set<Name> args = new LinkedHashSet<>();
        for (Name n : futharkc.core.ir.FreeNames.of(soac)) args.addAll(roots(n));
        for (PatElem p : s.pat()) derive(p, args);
      }
    }
  }

  private Set<Name> accRoots(List<Name> inputs) {
    Set<Name> all = new LinkedHashSet<>();
    for (Name n : inputs) all.addAll(roots(n));
    return all;
  }

  /**
   * A parameter is a root of its own, so that its consumption can be told from that of a sibling.
   */
  private void lambda(Lambda l, List<Name> inputs) {
    for (int i = 0; i < inputs.size(); i++) {
      param(l.params().get(i), roots(inputs.get(i)));
    }
    add(l.body());
  }

  private void param(Param p, Set<Name> from) {
    if (p.type() instanceof Type.Prim) return;
    Set<Name> all = new LinkedHashSet<>(from);
    all.add(p.name());
    roots.put(p.name(), all);
  }

  private void derive(PatElem p, Set<Name> from) {
    if (p.type() instanceof Type.Prim) return;
    if (from.isEmpty()) roots.remove(p.name());
    else roots.put(p.name(), from);
  }

  private Set<Name> roots(SubExp e) {
    return e instanceof SubExp.Var v ? roots(v.name()) : Set.of();
  }

  /** Finds the bodies in expressions that need nothing else. */
  private static final class Nested extends Mapper {
    private final Aliases aliases;

    Nested(Aliases aliases) {
      this.aliases = aliases;
    }

    @Override
    public Body body(Body b) {
      aliases.add(b);
      return b;
    }
  }
}
