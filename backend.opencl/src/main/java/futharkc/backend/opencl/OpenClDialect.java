package futharkc.backend.opencl;

import futharkc.core.codegen.kernel.Dialect;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** OpenCL C 1.2. Threads exchange values through shared memory. */
public final class OpenClDialect implements Dialect {
  private final String library = read();

  /** Creates the dialect. */
  public OpenClDialect() {}

  @Override
  public List<String> options() {
    return List.of("-cl-std=CL1.2", "-w");
  }

  @Override
  public String preamble() {
    return """
    #pragma OPENCL FP_CONTRACT OFF
    typedef char i8;
    typedef short i16;
    typedef int i32;
    typedef long i64;
    typedef uchar u8;
    typedef ushort u16;
    typedef uint u32;
    typedef ulong u64;
    typedef float f32;
    #define FUN static inline
    #define LARGE_FUN static
    #define KERNEL __kernel
    #define GLOBAL __global
    #define SHARED __local
    #define I64(x) x##L
    #define F32_NAN NAN
    #define F32_INF INFINITY
    #define THREAD(d) get_local_id(d)
    #define THREADS(d) get_local_size(d)
    #define BLOCK(d) get_group_id(d)
    #define BLOCKS(d) get_num_groups(d)
    """;
  }

  @Override
  public String doubles() {
    return """
    #pragma OPENCL EXTENSION cl_khr_fp64 : enable
    typedef double f64;
    #define F64_NAN ((f64) NAN)
    #define F64_INF ((f64) INFINITY)
    """;
  }

  @Override
  public String wideAtomics() {
    return """
    #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
    #pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
    """;
  }

  @Override
  public String library() {
    return library;
  }

  private static String read() {
    try (InputStream in = OpenClDialect.class.getResourceAsStream("library.c")) {
      if (in == null) {
        throw new IllegalStateException("the sections of the kernel library are missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String function(String name, PrimType type) {
    return name;
  }

  @Override
  public boolean dividesByZero() {
    return false;
  }

  /** Returns true because of PoCL. */
  @Override
  public boolean movesLoopStarts() {
    return true;
  }

  @Override
  public String launchBounds(String threads, int resident) {
    return threads.isEmpty() ? "" : " __attribute__((reqd_work_group_size(" + threads + ", 1, 1)))";
  }

  /**
   * Returns memory that the host passes as a parameter. The type determines the alignment: NVIDIA's
   * driver places an array of bytes directly behind its own data.
   */
  @Override
  public SharedMemory sharedMemory() {
    return new SharedMemory("__local", "SHARED ulong2 *shared_memory", null);
  }

  @Override
  public @Nullable String sineAndCosine(PrimType type, String operand, String sine, String cosine) {
    return null;
  }

  @Override
  public @Nullable String shuffle(String value, String distance, int width, Sections sections) {
    return null;
  }

  @Override
  public @Nullable String leaveIfAny(String condition) {
    return null;
  }

  @Override
  public String atomic(Code.AtomicOp op, Element element, String operand, Sections sections) {
    PrimType elem = element.type();
    if (elem == PrimType.F64 || elem == PrimType.I64) {
      sections.useWideAtomics();
    }
    boolean unsigned = op == Code.AtomicOp.UMIN || op == Code.AtomicOp.UMAX;
    String type = unsigned ? "u" + elem.bits() : elem.toString();
    String pointer = element.pointer(type, true);
    if (op == Code.AtomicOp.FADD) {
      return sections.use("atomic_fadd_" + elem, element.memory())
          + "("
          + pointer
          + ", "
          + operand
          + ")";
    }
    String argument = unsigned ? "(" + type + ") " + operand : operand;
    String call = function(op, elem) + "(" + pointer + ", " + argument + ")";
    return unsigned ? "(" + elem + ") " + call : call;
  }

  private static String function(Code.AtomicOp op, PrimType elem) {
    String name =
        switch (op) {
          case ADD, FADD -> "add";
          case SMIN, UMIN -> "min";
          case SMAX, UMAX -> "max";
          case AND, OR, XOR -> op.toString();
          case EXCHANGE -> "xchg";
        };
    return (elem == PrimType.I64 ? "atom_" : "atomic_") + name;
  }

  @Override
  public String compareAndSet(Element element, String expected, String value, Sections sections) {
    boolean wide = element.type() == PrimType.I64;
    if (wide) {
      sections.useWideAtomics();
    }
    return (wide ? "atom_cmpxchg(" : "atomic_cmpxchg(")
        + String.join(", ", element.pointer(element.type().toString(), true), expected, value)
        + ")";
  }
}
