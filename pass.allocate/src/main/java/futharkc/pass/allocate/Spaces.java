package futharkc.pass.allocate;

import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Space;

/** What memory there is, and what it is counted in. */
enum Spaces {
  /** Arrays of the language that is generated: a block has elements of one type. */
  ELEMENTS,
  /** The memory of a device and of its thread blocks: a block has bytes. */
  DEVICE;

  static Spaces of(Rep rep) {
    return rep.isByteAddressed() ? DEVICE : ELEMENTS;
  }

  /** Where arrays are that are made there. */
  Space at(Where where, PrimType elem) {
    if (this == ELEMENTS) return new Space.Elements(elem);
    return where == Where.BLOCK ? new Space.Shared() : new Space.Device();
  }

  /** The size of a block for so many elements. */
  Poly size(Poly elements, PrimType elem) {
    return this == ELEMENTS ? elements : elements.times(elem.bytes());
  }
}
