package futharkc.core.ir.analysis;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import futharkc.core.ir.Param;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.List;

/**
 * A traversal that collects the roots of arrays and accumulators consumed by an IR node, at any
 * depth.
 */
public final class Consumption extends Mapper {
  private final Aliases aliases;
  private NameSet consumed = NameSet.of();

  private Consumption(Aliases aliases) {
    this.aliases = aliases;
  }

  /** Returns the roots that a statement consumes. */
  public static NameSet of(Stm s, Aliases aliases) {
    var c = new Consumption(aliases);
    c.exp(s.exp());
    return c.consumed;
  }

  /** Returns the roots that a body consumes. */
  public static NameSet of(Body b, Aliases aliases) {
    var c = new Consumption(aliases);
    c.body(b);
    return c.consumed;
  }

  /** Returns the roots that a lambda's body consumes, including consumed parameters. */
  public static NameSet of(Lambda l) {
    return of(l.body(), Aliases.of(l.body().stms()));
  }

  /**
   * Returns the inputs' parameters whose elements a map consumes, without accumulators, in order of
   * the inputs.
   */
  public static NameSet ofParams(List<Name> inputs, Lambda map, Aliases aliases) {
    NameSet roots = of(map.body(), aliases);
    NameSet params = NameSet.of();
    for (int i = 0; i < inputs.size(); i++) {
      Param p = map.params().get(i);
      if (p.type() instanceof Type.Acc) {
        continue;
      }
      if (aliases.roots(p.name()).meets(roots)) {
        params = params.with(p.name());
      }
    }
    return params;
  }

  private void consume(Name name) {
    consumed = consumed.union(aliases.roots(name));
  }

  private void consume(SubExp e) {
    if (e instanceof SubExp.Var v) {
      consume(v.name());
    }
  }

  @Override
  public Exp exp(Exp e) {
    switch (e) {
      case BasicOp.Update x -> consume(x.array());
      case BasicOp.FlatUpdate x -> consume(x.array());
      case BasicOp.UpdateAcc x -> consume(x.acc());
      case BasicOp x -> {}
      case Exp.Apply a -> {
        for (int i = 0; i < a.args().size(); i++) {
          if (a.consumed().get(i)) {
            consume(a.args().get(i));
          }
        }
      }
      case Exp.Loop l -> {
        for (Exp.LoopParam p : l.params()) {
          if (p.param().unique()) {
            consume(p.init());
          }
        }
      }
      case Exp.WithAcc w -> w.inputs().forEach(in -> in.arrays().forEach(this::consume));
      case Soac.Hist h -> h.ops().forEach(op -> op.dests().forEach(this::consume));
      case Soac.Screma s -> consumeAccs(s.inputs(), s.map().params());
      case Soac.Stream s -> s.accs().forEach(this::consume);
      // Only nested statements of these expressions consume.
      case Exp.Match m -> {}
      case Soac.FlatMap f -> {}
      case Soac.Jvp j -> {}
      case Soac.Vjp v -> {}
      case Soac.WithVjp w -> {}
      case SegExp x -> {}
      case HostOp h -> {}
      case MemOp m -> {}
    }
    return super.exp(e);
  }

  @Override
  public SegOp segOp(SegOp op) {
    if (op instanceof SegOp.SegHist h) {
      h.ops().forEach(o -> o.dests().forEach(this::consume));
    }
    return super.segOp(op);
  }

  private void consumeAccs(List<Name> inputs, List<Param> params) {
    for (int i = 0; i < inputs.size(); i++) {
      if (params.get(i).type() instanceof Type.Acc) {
        consume(inputs.get(i));
      }
    }
  }
}
