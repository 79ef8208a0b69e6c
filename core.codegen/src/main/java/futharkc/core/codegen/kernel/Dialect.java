package futharkc.core.codegen.kernel;

import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dialect of C in which kernels are printed. A backend gives the dialect of its kernels.
 *
 * <p>The preamble defines the names that printed code uses: the types {@code i8} to {@code i64},
 * {@code u8} to {@code u64} and {@code f32}; the qualifiers {@code FUN}, {@code LARGE_FUN}, {@code
 * KERNEL}, {@code GLOBAL} and {@code SHARED}; the constants {@code I64(x)}, {@code F32_NAN} and
 * {@code F32_INF}; and the positions {@code THREAD(d)}, {@code THREADS(d)}, {@code BLOCK(d)} and
 * {@code BLOCKS(d)}.
 */
public interface Dialect {
  /**
   * Returns the options for the dialect's compilers. Contraction of floating-point operations is
   * off, so that results equal those of other targets.
   */
  List<String> options();

  /** Returns the beginning of a kernel text, which defines the names that printed code uses. */
  String preamble();

  /** Returns the text that enables double precision and defines its type and constants. */
  String doubles();

  /** Returns the text that enables atomic operations on 64 bits. */
  String wideAtomics();

  /**
   * Returns the dialect's sections of the kernel library, in the form of {@code library.c}. That
   * file names the sections that a dialect gives.
   */
  String library();

  /** Returns the name of a mathematical function of C for a type. */
  String function(String name, PrimType type);

  /** Tests whether an integer division by zero returns a number, without a trap. */
  boolean dividesByZero();

  /**
   * Tests whether compilers may move the decision if a loop has a first iteration out of a loop
   * around a barrier, where one thread decides for all. Then the dialect has the section {@code
   * stays_inside}.
   */
  boolean movesLoopStarts();

  /**
   * Returns the attribute of a kernel for the size of its thread blocks; empty for none.
   *
   * @param threads the number of threads per block; empty if it is unknown
   * @param resident the desired number of threads per multiprocessor; 0 for any number
   */
  String launchBounds(String threads, int resident);

  /** Returns the form of shared memory. */
  SharedMemory sharedMemory();

  /**
   * Returns a statement that computes a sine and a cosine with the same results as the separate
   * functions; null if there is no such statement.
   */
  @Nullable String sineAndCosine(PrimType type, String operand, String sine, String cosine);

  /**
   * Returns an expression for the value of another thread of the same group; null if threads
   * exchange values through shared memory.
   *
   * @param distance the distance to the other thread; a thread without such a neighbour gets its
   *     own value
   * @param width the number of threads of a group
   */
  @Nullable String shuffle(String value, String distance, int width, Sections sections);

  /**
   * Returns the statement by which all threads of a thread block return if a condition holds for
   * one of them; null if threads exchange the condition through shared memory.
   */
  @Nullable String leaveIfAny(String condition);

  /**
   * Returns an atomic operation.
   *
   * @return an expression for the old value
   */
  String atomic(Code.AtomicOp op, Element element, String operand, Sections sections);

  /** Returns a compare-and-set, an expression for the old value. */
  String compareAndSet(Element element, String expected, String value, Sections sections);

  /**
   * The form of shared memory.
   *
   * @param qualifier the qualifier of a variable in shared memory
   * @param parameter the parameter of a kernel for its shared memory, named {@code shared_memory};
   *     null if the kernel declares the memory
   * @param declaration the declaration of {@code shared_memory} in a kernel; null for none
   */
  record SharedMemory(String qualifier, @Nullable String parameter, @Nullable String declaration) {}

  /** The sections of the kernel library that a kernel text uses. */
  interface Sections {
    /** Adds a section; returns its name, which is also the name of its function. */
    String use(String name);

    /** Adds the version of a section for a memory; returns the name of its function. */
    String use(String name, Code.Memory memory);

    /** Records that the text uses atomic operations on 64 bits. */
    void useWideAtomics();
  }

  /**
   * An element of a block.
   *
   * @param memory the memory of the block
   * @param type the element type
   * @param block an expression for the block
   * @param index an expression for the index
   */
  record Element(Code.Memory memory, PrimType type, String block, String index) {
    /** Returns an expression for the address of the element. */
    public String pointer(String type, boolean isVolatile) {
      String qualifiers = (isVolatile ? "volatile " : "") + KernelCode.space(memory);
      return "((" + qualifiers + type + " *) " + block + ") + " + index;
    }
  }
}
