package futharkc.core.ir;

import java.util.List;

/** Operations of GPU host code. */
public sealed interface HostOp extends Exp {
  /** The tuning parameter of that name and class. */
  record GetSize(String name, String sizeClass) implements HostOp {}

  /** The largest value of a class of tuning parameters on this device. */
  record GetSizeMax(String sizeClass) implements HostOp {}

  /** Whether the value is at most the tuning parameter. */
  record CmpSizeLe(String name, String sizeClass, SubExp value) implements HostOp {}

  /** The number of thread blocks to use for that many threads. */
  record CalcNumBlocks(SubExp width, String maxBlocks, SubExp blockSize) implements HostOp {}

  /** Code run by one thread of the device; scalar results become arrays of one element. */
  record GpuBody(List<Type> types, Body body) implements HostOp {
    public GpuBody {
      types = List.copyOf(types);
    }
  }
}
