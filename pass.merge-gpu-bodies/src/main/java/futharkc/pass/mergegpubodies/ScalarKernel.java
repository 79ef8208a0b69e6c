package futharkc.pass.mergegpubodies;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A kernel of one thread that only reads elements and computes scalars, and that may be part of
 * another kernel: it fails never, has no branch or loop, and consumes nothing.
 *
 * @param stm the statement of the kernel
 * @param operations scalar operations, weighted by their time relative to an addition
 * @param loads the number of elements that the kernel reads
 */
record ScalarKernel(Stm stm, int operations, int loads) {
  /** Returns the kernel of a statement, or null. */
  static @Nullable ScalarKernel of(Stm s) {
    if (!(s.exp() instanceof HostOp.GpuBody g) || !s.aux().certs().isEmpty()) {
      return null;
    }
    for (Type t : g.types()) {
      if (!(t instanceof Type.Prim) || t.equals(Type.UNIT)) {
        return null;
      }
    }
    int operations = 0;
    int loads = 0;
    for (Stm t : g.body().stms()) {
      if (!(t.exp() instanceof BasicOp op) || !(t.pat().get(0).type() instanceof Type.Prim)) {
        return null;
      }
      int cost = cost(op);
      if (cost < 0) {
        return null;
      }
      operations += cost;
      if (op instanceof BasicOp.Index) {
        loads++;
      }
    }
    return new ScalarKernel(s, operations, loads);
  }

  /** Returns the weight of an operation, or a negative number if the kernel must be one alone. */
  private static int cost(BasicOp op) {
    return switch (op) {
      case BasicOp.SubExpOp _ -> 0;
      case BasicOp.Index _ -> 0;
      case BasicOp.BinOpExp x -> x.op().isPartial() ? 4 : 1;
      case BasicOp.UnOpExp _, BasicOp.CmpOpExp _, BasicOp.ConvOpExp _ -> 1;
      case BasicOp.PrimFunExp _ -> 4;
      default -> -1;
    };
  }

  HostOp.GpuBody op() {
    return (HostOp.GpuBody) stm.exp();
  }

  /** Returns the names that the kernel uses. */
  Set<Name> free() {
    return FreeNames.of(stm);
  }

  boolean binds(Name n) {
    return stm.pat().stream().map(PatElem::name).anyMatch(n::equals);
  }
}
