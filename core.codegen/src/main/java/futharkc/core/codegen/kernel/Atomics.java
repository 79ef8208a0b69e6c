package futharkc.core.codegen.kernel;

import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import java.util.Locale;

/** A printer of atomic operations as calls of the kernel library. */
final class Atomics {
  private final Dialect dialect;
  private final KernelLibrary library;

  Atomics(Dialect dialect, KernelLibrary library) {
    this.dialect = dialect;
    this.library = library;
  }

  /**
   * Returns a call of an atomic operation.
   *
   * @param element the block, as a pointer to {@code i8}, and the element's index
   * @return an expression for the old value
   */
  String call(
      Code.AtomicOp op, Code.Memory memory, PrimType elem, Element element, String operand) {
    if (elem == PrimType.F64 && dialect == Dialect.OPENCL || elem == PrimType.I64) {
      library.useWideAtomics();
    }
    boolean unsigned =
        switch (op) {
          case UMIN, UMAX -> true;
          case ADD, AND, OR, XOR, EXCHANGE -> dialect == Dialect.CUDA;
          case SMIN, SMAX, FADD -> false;
        };
    String type = unsigned ? KernelTypes.unsigned(elem) : elem.toString();
    String pointer = element.pointer(memory, type, dialect == Dialect.OPENCL);
    if (op == Code.AtomicOp.FADD && dialect == Dialect.CUDA && elem == PrimType.F64) {
      return library.use("atomic_fadd_f64") + "(" + pointer + ", " + operand + ")";
    }
    if (op == Code.AtomicOp.FADD && dialect == Dialect.OPENCL) {
      return library.use("atomic_fadd_" + elem, memory) + "(" + pointer + ", " + operand + ")";
    }
    String argument = unsigned ? "(" + type + ") " + operand : operand;
    String call = function(op, elem) + "(" + pointer + ", " + argument + ")";
    return unsigned ? "(" + elem + ") " + call : call;
  }

  private String function(Code.AtomicOp op, PrimType elem) {
    String name =
        switch (op) {
          case ADD, FADD -> "add";
          case SMIN, UMIN -> "min";
          case SMAX, UMAX -> "max";
          case AND, OR, XOR -> op.toString();
          case EXCHANGE -> dialect == Dialect.CUDA ? "exch" : "xchg";
        };
    return switch (dialect) {
      case CUDA -> "atomic" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
      case OPENCL -> (elem == PrimType.I64 ? "atom_" : "atomic_") + name;
    };
  }

  /** Returns a compare-and-set call, an expression for the old value. */
  String compareAndSet(
      Code.Memory memory, PrimType elem, Element element, String expected, String value) {
    if (elem == PrimType.I64) {
      library.useWideAtomics();
    }
    return switch (dialect) {
      case CUDA -> {
        String type = KernelTypes.unsigned(elem);
        String cast = "(" + type + ") ";
        yield "("
            + elem
            + ") atomicCAS("
            + String.join(", ", element.pointer(memory, type, false), cast + expected, cast + value)
            + ")";
      }
      case OPENCL ->
          (elem == PrimType.I64 ? "atom_cmpxchg(" : "atomic_cmpxchg(")
              + String.join(", ", element.pointer(memory, elem.toString(), true), expected, value)
              + ")";
    };
  }

  /** An element of a block: C expressions for the block and the index. */
  record Element(String block, String index) {
    String pointer(Code.Memory memory, String type, boolean isVolatile) {
      String qualifiers = (isVolatile ? "volatile " : "") + KernelCode.space(memory);
      return "((" + qualifiers + type + " *) " + block + ") + " + index;
    }
  }
}
