package futharkc.core.ir;

import java.util.List;

/** Operations of GPU host code. */
public sealed interface HostOp extends Exp {
  /** Numbers that depend on the device and on how it is tuned. */
  sealed interface SizeOp extends HostOp {}

  /** A tuning parameter. */
  record GetSize(TuningParameter parameter) implements SizeOp {}

  /** The largest value of a class of tuning parameters on this device. */
  record GetSizeMax(SizeClass sizeClass) implements SizeOp {}

  /** Whether the tuning parameter, a threshold, is at most the value. */
  record CmpSizeLe(TuningParameter parameter, SubExp value) implements SizeOp {}

  /**
   * The number of thread blocks to use for that many threads: at least one, and at most the tuning
   * parameter.
   */
  record CalcNumBlocks(SubExp width, TuningParameter maxBlocks, SubExp blockSize)
      implements SizeOp {}

  /**
   * Elements of arrays on the device, all fetched at once: the host waits until the device is done.
   * An element that host code indexes by itself is fetched, too, but alone; where arrays have
   * memory, elements on the device must be read so.
   */
  record Read(List<Element> elements) implements HostOp {
    public Read {
      elements = List.copyOf(elements);
    }
  }

  /** An element of an array; there is an index for each dimension, and it is in range. */
  record Element(Name array, List<SubExp> index) {
    public Element {
      index = List.copyOf(index);
    }
  }

  /**
   * Code that one thread of the device runs. Scalar results become arrays of one element. A result
   * of unit type is a certificate: it stays one, and holds if the check in the body holds.
   */
  record GpuBody(List<Type> types, Body body) implements HostOp {
    public GpuBody {
      types = List.copyOf(types);
    }
  }
}
