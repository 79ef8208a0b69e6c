package futharkc.core.codegen.lower.common;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.imperative.Code;
import java.util.List;

/** A lowering of the statements of one function, by the lowering of each kind of expression. */
public final class Statements {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final ArrayOps arrays;
  private final BasicOps basic;
  private final ControlFlow control;
  private final Accumulators accumulators;
  private final TargetLowering target;
  private final ParallelOperations parallel;

  Statements(FunctionSymbols scope, BlockLifetimes blocks, TargetLowering target) {
    this.scope = scope;
    this.blocks = blocks;
    this.target = target;
    this.arrays = new ArrayOps(scope, new Copies(scope, target.copies(scope, blocks)));
    this.control = new ControlFlow(scope, blocks, arrays, this);
    this.accumulators = new Accumulators(scope, arrays, control, this);
    this.basic = new BasicOps(scope, arrays, accumulators);
    this.parallel = target.operations(scope, blocks, arrays, control, accumulators, this);
  }

  /** Returns the parts of the lowering that differ between targets. */
  TargetLowering target() {
    return target;
  }

  /** Returns the lowering of the function's parallel operations. */
  ParallelOperations parallel() {
    return parallel;
  }

  /**
   * Lowers statements in order.
   *
   * @param results the operands that are used after the statements
   * @param params the block variables that these statements own besides those they declare
   */
  public void lower(List<Stm> stms, List<SubExp> results, List<Name> params, List<Code> out) {
    for (Stm s : stms) {
      for (PatElem p : s.pat()) {
        scope.add(p.name(), p.type());
      }
      scope.values.add(s);
    }
    BlockLifetimes.Owned owned = blocks.owned(stms, results, params);
    owned.release(-1, out);
    for (int i = 0; i < stms.size(); i++) {
      Stm s = stms.get(i);
      owned.during(i, () -> statement(s, out));
      owned.release(i, out);
    }
  }

  /**
   * Lowers one statement.
   *
   * @return true if the blocks that it declares must be released
   */
  private boolean statement(Stm s, List<Code> out) {
    Loc around = scope.loc();
    scope.at(s.aux().loc());
    boolean declares = lowered(s, out);
    scope.at(around);
    return declares;
  }

  private boolean lowered(Stm s, List<Code> out) {
    switch (s.exp()) {
      case BasicOp op -> basic.lower(s.pat().get(0), op, out);
      case Exp.Apply a -> control.apply(s.pat(), a, out);
      case Exp.Match m -> control.match(s.pat(), m, out);
      case Exp.Loop l -> control.loop(s.pat(), l, out);
      case Exp.WithAcc w -> accumulators.withAcc(s.pat(), w, out);
      case SegExp.ParOp p -> parallel.parallel(s, p, out);
      case MemOp.Alloc a -> {
        return blocks.alloc(s.pat().get(0).name(), a, out);
      }
      case MemOp.EnsureDirect e -> arrays.ensureDirect(s.pat(), e, out);
      case SegExp.Seg g -> parallel.operation(s, g.op(), out);
      case HostOp h -> parallel.host(s, h, out);
      case Soac o -> throw new IllegalStateException("SOAC in memory representation");
    }
    return true;
  }
}
