package futharkc.pass.galop;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.ElementAccess;
import java.util.List;

/**
 * Facts about a parallel operation.
 *
 * @param canFail whether a thread can fail
 * @param frequency the largest frequency of its accesses: that of accesses without a condition
 */
record OperationFacts(boolean canFail, double frequency) {
  static OperationFacts of(Stm operation, List<ElementAccess> accesses) {
    double frequency = accesses.stream().mapToDouble(ElementAccess::frequency).max().orElse(1);
    return new OperationFacts(canFail(operation), frequency);
  }

  private static boolean canFail(Stm operation) {
    boolean[] found = {false};
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        found[0] |= e instanceof BasicOp.Assert || e instanceof Exp.Apply;
        return super.exp(e);
      }
    }.stm(operation);
    return found[0];
  }
}
