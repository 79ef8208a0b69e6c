package futharkc.pass.mergegpubodies;

import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.SegOp;

/** A mapper of the code of the host, without the code of kernels. */
abstract class HostMapper extends Mapper {
  @Override
  public SegOp segOp(SegOp op) {
    return op;
  }

  @Override
  public Exp exp(Exp e) {
    if (e instanceof HostOp.GpuBody) {
      return e;
    }
    if (!(e instanceof Exp.WithAcc w)) {
      return super.exp(e);
    }
    // Operators are code of the device.
    Lambda lambda = lambda(w.lambda());
    return lambda == w.lambda() ? w : new Exp.WithAcc(w.inputs(), lambda);
  }
}
