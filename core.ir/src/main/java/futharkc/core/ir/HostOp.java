package futharkc.core.ir;

import java.util.List;

/** Operations of GPU host code. */
public sealed interface HostOp extends Exp {
  /** Numbers that depend on the device and its tuning. */
  sealed interface SizeOp extends HostOp {}

  /** The value of a tuning parameter. */
  record GetSize(TuningParameter parameter) implements SizeOp {}

  /** The largest value of a class of tuning parameters on this device. */
  record GetSizeMax(SizeClass sizeClass) implements SizeOp {}

  /** A test whether the tuning parameter, a threshold, is at most the value. */
  record CmpSizeLe(TuningParameter parameter, SubExp value) implements SizeOp {}

  /**
   * The number of thread blocks for the given number of threads: at least one, at most the tuning
   * parameter.
   */
  record CalcNumBlocks(SubExp width, TuningParameter maxBlocks, SubExp blockSize)
      implements SizeOp {}

  /**
   * A read of array elements from the device, all in one transfer. The host waits until the device
   * is idle. Host code that indexes a device array also reads one element, in a transfer of its
   * own. In memory representations, host code must read device elements with this operation.
   */
  record Read(List<Element> elements) implements HostOp {
    public Read {
      elements = List.copyOf(elements);
    }
  }

  /** An element of an array. There is one index for each dimension; all are in range. */
  record Element(Name array, List<SubExp> index) {
    public Element {
      index = List.copyOf(index);
    }
  }

  /**
   * Code for one thread of the device. Scalar results become arrays with one element. A result of
   * unit type is a certificate: it stays one, and holds if the check in the body holds.
   */
  record GpuBody(List<Type> types, Body body) implements HostOp {
    public GpuBody {
      types = List.copyOf(types);
    }
  }
}
