package futharkc.pass.allocate;

import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Space;

/** The memory spaces of a target, with the unit of block sizes. */
enum Spaces {
  /**
   * Arrays of the generated language. A memory block contains elements of one type, and its size
   * counts elements.
   */
  ELEMENTS,
  /** The memory of a device and of its thread blocks. The size of a memory block counts bytes. */
  DEVICE;

  static Spaces of(Rep rep) {
    return rep.isByteAddressed() ? DEVICE : ELEMENTS;
  }

  /** Returns the space of arrays at a level. */
  Space at(AllocationLevel level, PrimType elem) {
    if (this == ELEMENTS) {
      return new Space.Elements(elem);
    }
    return level == AllocationLevel.BLOCK ? new Space.Shared() : new Space.Device();
  }

  /** Returns the size of a memory block for a number of elements. */
  Poly size(Poly elements, PrimType elem) {
    return this == ELEMENTS ? elements : elements.times(elem.bytes());
  }
}
