package futharkc.core.ir;

import java.util.List;

/** A kind of memory. */
public sealed interface Space {
  /** A Java array of that type: sizes count elements. All memory of SEQ_MEM and MC_MEM. */
  record Elements(PrimType elem) implements Space {}

  /** Memory of the device: sizes count bytes. */
  record Device() implements Space {}

  /** Memory shared by a thread block: sizes count bytes. */
  record Shared() implements Space {}

  /** Registers of one thread, holding an array of that constant shape. */
  record Scalar(List<SubExp> shape, PrimType elem) implements Space {}

  /** A space that a backend or plugin defines. */
  record Named(String name) implements Space {}
}
