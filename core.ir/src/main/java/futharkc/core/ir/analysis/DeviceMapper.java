package futharkc.core.ir.analysis;

import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.SegOp;
import java.util.List;

/** A mapper that distinguishes host code from code of threads and thread blocks on a GPU. */
public abstract class DeviceMapper extends Mapper {
  private boolean inThread;

  /** Makes a mapper that starts in code of threads or in host code. */
  protected DeviceMapper(boolean inThread) {
    this.inThread = inThread;
  }

  /** Tests whether the mapped code runs in threads. */
  protected final boolean inThread() {
    return inThread;
  }

  /** Continues in code of threads or in host code. */
  protected final void enter(boolean thread) {
    inThread = thread;
  }

  @Override
  public SegOp segOp(SegOp op) {
    boolean before = inThread;
    inThread = true;
    SegOp mapped = super.segOp(op);
    inThread = before;
    return mapped;
  }

  @Override
  public Exp exp(Exp e) {
    boolean before = inThread;
    if (e instanceof HostOp.GpuBody) {
      inThread = true;
    }
    Exp mapped =
        e instanceof Exp.WithAcc w
            ? new Exp.WithAcc(operators(w), lambda(w.lambda()))
            : super.exp(e);
    inThread = before;
    return mapped;
  }

  private List<Exp.AccInput> operators(Exp.WithAcc w) {
    boolean before = inThread;
    inThread = true;
    List<Exp.AccInput> inputs = list(w.inputs(), this::operator);
    inThread = before;
    return inputs;
  }

  private Exp.AccInput operator(Exp.AccInput in) {
    if (in.op() == null) {
      return in;
    }
    Lambda l = lambda(in.op().lambda());
    return new Exp.AccInput(in.space(), in.arrays(), new Exp.AccOp(l, in.op().neutral()));
  }
}
