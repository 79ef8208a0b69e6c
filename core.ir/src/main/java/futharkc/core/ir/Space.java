package futharkc.core.ir;

import java.util.List;

/** A kind of memory. */
public sealed interface Space {
  /**
   * A Java array with elements of one type. Sizes count elements. All memory of SEQ_MEM and MC_MEM
   * is of this kind.
   */
  record Elements(PrimType elem) implements Space {}

  /** Device memory. Sizes count bytes. */
  record Device() implements Space {}

  /** Memory shared by the threads of a thread block. Sizes count bytes. */
  record Shared() implements Space {}

  /** Registers of one thread that hold an array of a constant shape. */
  record Scalar(List<SubExp> shape, PrimType elem) implements Space {}

  /** A space that a backend or plugin defines. */
  record Named(String name) implements Space {}
}
