package futharkc.pass.expandallocations;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Space;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;

/** Emits memory blocks for arrays, and copies that are row-major from offset 0. */
final class RowMajorCopies {
  private RowMajorCopies() {}

  /** Allocates a memory block for an array. */
  static Name block(Builder b, Scope scope, Type.Array a, Space space) {
    MemOp.Alloc alloc = new MemOp.Alloc(b.poly("size", bytes(a)), space);
    Name block = b.let("mem", new Type.Mem(space), alloc);
    scope.add(block, new Type.Mem(space));
    return block;
  }

  /** Returns the size of an array in bytes. */
  static Poly bytes(Type.Array a) {
    Poly bytes = Poly.of(a.elem().bytes());
    for (SubExp d : a.shape()) {
      bytes = bytes.times(Poly.of(d));
    }
    return bytes;
  }

  /** Returns the type of an array that is row-major in a memory block. */
  static Type.Array in(Name block, Type.Array a) {
    return new Type.Array(a.elem(), a.shape(), new ArrayMem(block, Lmad.rowMajor(a.shape())));
  }

  /**
   * Copies an array.
   *
   * @param there the type of the copy
   */
  static Name copy(Builder b, Scope scope, Name array, Type.Array there) {
    List<Integer> perm = new ArrayList<>();
    for (int i = 0; i < there.rank(); i++) {
      perm.add(i);
    }
    Name copy = b.let(array.base(), there, new BasicOp.Manifest(array, perm));
    scope.add(copy, there);
    return copy;
  }
}
