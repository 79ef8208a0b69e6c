package futharkc.backend.cuda;

import futharkc.core.codegen.kernel.Dialect;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** CUDA C++, without headers. */
public final class CudaDialect implements Dialect {
  private final String library = read();

  /** Creates the dialect. */
  public CudaDialect() {}

  @Override
  public List<String> options() {
    return List.of("--fmad=false", "--disable-warnings");
  }

  @Override
  public String preamble() {
    return """
    typedef signed char i8;
    typedef short i16;
    typedef int i32;
    typedef long long i64;
    typedef unsigned char u8;
    typedef unsigned short u16;
    typedef unsigned int u32;
    typedef unsigned long long u64;
    typedef float f32;
    #define FUN static __device__ __forceinline__
    #define LARGE_FUN static __device__ __noinline__
    #define KERNEL extern "C" __global__
    #define GLOBAL
    #define SHARED
    #define I64(x) x##LL
    #define F32_NAN __int_as_float(0x7fc00000)
    #define F32_INF __int_as_float(0x7f800000)
    #define THREAD(d) (d == 0 ? threadIdx.x : d == 1 ? threadIdx.y : threadIdx.z)
    #define THREADS(d) (d == 0 ? blockDim.x : d == 1 ? blockDim.y : blockDim.z)
    #define BLOCK(d) (d == 0 ? blockIdx.x : d == 1 ? blockIdx.y : blockIdx.z)
    #define BLOCKS(d) (d == 0 ? gridDim.x : d == 1 ? gridDim.y : gridDim.z)
    """;
  }

  @Override
  public String doubles() {
    return """
    typedef double f64;
    #define F64_NAN __longlong_as_double(0x7ff8000000000000LL)
    #define F64_INF __longlong_as_double(0x7ff0000000000000LL)
    """;
  }

  @Override
  public String wideAtomics() {
    return "";
  }

  @Override
  public String library() {
    return library;
  }

  private static String read() {
    try (InputStream in = CudaDialect.class.getResourceAsStream("library.c")) {
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
    String own = name.equals("mad") ? "fma" : name;
    return type == PrimType.F64 ? own : own + "f";
  }

  @Override
  public boolean dividesByZero() {
    return true;
  }

  @Override
  public boolean movesLoopStarts() {
    return false;
  }

  @Override
  public String launchBounds(String threads, int resident) {
    boolean counts = resident > 0 && !threads.isEmpty();
    // The compiler ignores the second number on a multiprocessor that holds fewer threads.
    String blocks = counts ? ", " + resident + " / " + threads : "";
    return " __launch_bounds__(" + (threads.isEmpty() ? "1024" : threads) + blocks + ")";
  }

  @Override
  public SharedMemory sharedMemory() {
    return new SharedMemory(
        "__shared__", null, "extern __shared__ __align__(16) i8 shared_memory[];");
  }

  /** Returns a combined operation. CUDA guarantees that it equals the separate ones. */
  @Override
  public @Nullable String sineAndCosine(PrimType type, String operand, String sine, String cosine) {
    String function = type == PrimType.F64 ? "sincos" : "sincosf";
    return function + "(" + operand + ", &" + sine + ", &" + cosine + ");";
  }

  @Override
  public @Nullable String shuffle(String value, String distance, int width, Sections sections) {
    return sections.use("shuffle") + "(" + value + ", " + distance + ", " + width + ")";
  }

  @Override
  public @Nullable String leaveIfAny(String condition) {
    return "if (__syncthreads_or(" + condition + ")) return;";
  }

  @Override
  public String atomic(Code.AtomicOp op, Element element, String operand, Sections sections) {
    PrimType elem = element.type();
    boolean unsigned =
        switch (op) {
          case ADD, AND, OR, XOR, EXCHANGE, UMIN, UMAX -> true;
          case SMIN, SMAX, FADD -> false;
        };
    String type = unsigned ? "u" + elem.bits() : elem.toString();
    String pointer = element.pointer(type, false);
    if (op == Code.AtomicOp.FADD && elem == PrimType.F64) {
      return sections.use("atomic_fadd_f64") + "(" + pointer + ", " + operand + ")";
    }
    String argument = unsigned ? "(" + type + ") " + operand : operand;
    String call = function(op) + "(" + pointer + ", " + argument + ")";
    return unsigned ? "(" + elem + ") " + call : call;
  }

  private static String function(Code.AtomicOp op) {
    String name =
        switch (op) {
          case ADD, FADD -> "add";
          case SMIN, UMIN -> "min";
          case SMAX, UMAX -> "max";
          case AND, OR, XOR -> op.toString();
          case EXCHANGE -> "exch";
        };
    return "atomic" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  @Override
  public String compareAndSet(Element element, String expected, String value, Sections sections) {
    String type = "u" + element.type().bits();
    String cast = "(" + type + ") ";
    return "("
        + element.type()
        + ") atomicCAS("
        + String.join(", ", element.pointer(type, false), cast + expected, cast + value)
        + ")";
  }
}
