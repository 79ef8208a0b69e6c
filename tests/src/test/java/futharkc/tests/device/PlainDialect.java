package futharkc.tests.device;

import futharkc.core.codegen.kernel.Dialect;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dialect of the C of GCC, which no backend has: threads exchange values through shared memory,
 * and atomic operations are GCC's.
 */
final class PlainDialect implements Dialect {
  @Override
  public List<String> options() {
    return List.of("-ffp-contract=off");
  }

  @Override
  public String preamble() {
    return """
    typedef signed char i8;
    typedef short i16;
    typedef int i32;
    typedef long i64;
    typedef unsigned char u8;
    typedef unsigned short u16;
    typedef unsigned int u32;
    typedef unsigned long u64;
    typedef float f32;
    typedef _Bool bool;
    #define true 1
    #define false 0
    #define FUN static inline
    #define LARGE_FUN static
    #define KERNEL extern
    #define GLOBAL
    #define SHARED
    #define I64(x) x##L
    #define F32_NAN __builtin_nanf("")
    #define F32_INF __builtin_inff()
    extern i32 plain_position(i32 which, i32 d);
    #define THREAD(d) plain_position(0, d)
    #define THREADS(d) plain_position(1, d)
    #define BLOCK(d) plain_position(2, d)
    #define BLOCKS(d) plain_position(3, d)
    """;
  }

  @Override
  public String doubles() {
    return """
    typedef double f64;
    #define F64_NAN __builtin_nan("")
    #define F64_INF __builtin_inf()
    """;
  }

  @Override
  public String wideAtomics() {
    return "";
  }

  @Override
  public String library() {
    return """
    //: before_all
    extern void plain_barrier(void);

    //: sync before_all
    #define sync() plain_barrier()

    //: fence
    #define fence() __sync_synchronize()

    //: fence_of_block
    #define fence_of_block() __sync_synchronize()

    //: fail
    FUN bool fail(GLOBAL volatile i32 *failure, i32 what) {
      return __sync_bool_compare_and_swap(failure, -1, what);
    }

    //: bits_f32
    FUN i32 bits_f32(f32 x) {
      union { f32 x; i32 bits; } both = { x };
      return both.bits;
    }

    //: from_bits_f32
    FUN f32 from_bits_f32(i32 bits) {
      union { i32 bits; f32 x; } both = { bits };
      return both.x;
    }
    """;
  }

  @Override
  public String function(String name, PrimType type) {
    String c = name.equals("mad") ? "fma" : name;
    return "__builtin_" + (type == PrimType.F64 ? c : c + "f");
  }

  @Override
  public boolean dividesByZero() {
    return false;
  }

  @Override
  public boolean movesLoopStarts() {
    return false;
  }

  @Override
  public String launchBounds(String threads, int resident) {
    return "";
  }

  @Override
  public SharedMemory sharedMemory() {
    return new SharedMemory("static", "i8 *shared_memory", null);
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
    String name =
        switch (op) {
          case ADD -> "__sync_fetch_and_add";
          case AND -> "__sync_fetch_and_and";
          case OR -> "__sync_fetch_and_or";
          case XOR -> "__sync_fetch_and_xor";
          case EXCHANGE -> "__sync_lock_test_and_set";
          case SMIN, SMAX, UMIN, UMAX, FADD ->
              throw new UnsupportedOperationException("no atomic operation " + op);
        };
    return name + "(" + element.pointer(element.type().toString(), true) + ", " + operand + ")";
  }

  @Override
  public String compareAndSet(Element element, String expected, String value, Sections sections) {
    String pointer = element.pointer(element.type().toString(), true);
    return "__sync_val_compare_and_swap(" + String.join(", ", pointer, expected, value) + ")";
  }
}
