package futharkc.core.ir.imperative;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.TuningParameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement of the imperative language. Variables are scalars or memory blocks; arrays are gone:
 * each access says its block and, as a polynomial over i64 variables, its offset. A name is
 * declared in the list of statements in which it occurs first, and is in scope to the end of that
 * list.
 */
public sealed interface Code {
  /** A statement with no others inside. */
  sealed interface Simple extends Code {}

  /** A statement with others inside. */
  sealed interface Compound extends Code {
    /** The lists of statements inside, each a scope; without the operators of a reduction. */
    List<List<Code>> bodies();
  }

  /** Declares a scalar; without a value, it is assigned before it is read. */
  record Declare(Name name, PrimType type, @Nullable Expr value) implements Simple {}

  /** Assigns a scalar. */
  record Assign(Name name, Expr value) implements Simple {}

  /** Declares a variable for a block; without a value, it is set before it is used. */
  record DeclareBlock(Name block, PrimType elem, @Nullable Name value) implements Simple {}

  /** Makes a block variable stand for another's block. */
  record SetBlock(Name block, PrimType elem, Name value) implements Simple {}

  /** Declares a block variable and makes a block for it, of undefined contents. */
  record Alloc(Name block, PrimType elem, Expr size, Loc loc) implements Simple {}

  /** Declares a block variable that {@link Reserve} can be used on, with an empty block. */
  record DeclareScratch(Name block, PrimType elem) implements Simple {}

  /** Makes the block at least that long; contents are lost. */
  record Reserve(Name block, PrimType elem, Expr size, Loc loc) implements Simple {}

  /** Releases a block, unless one of the other variables stands for the same. */
  record Free(Name block, PrimType elem, List<Name> unless) implements Simple {}

  /** Chooses by whether none of some variables stands for the same block. */
  record IfUnused(
      Name block, PrimType elem, List<Name> inUse, List<Code> then, List<Code> otherwise)
      implements Compound {
    @Override
    public List<List<Code>> bodies() {
      return List.of(then, otherwise);
    }
  }

  /** A block of constants, never written to. */
  record ConstantBlock(Name block, PrimType elem, List<PrimValue> values) implements Simple {}

  /** Keeps a block from ever being recycled. */
  record Pin(Name block, PrimType elem) implements Simple {}

  /** Writes an element. */
  record Store(Name block, PrimType elem, Poly index, Expr value) implements Simple {}

  /** Copies a run of elements; the two may overlap. */
  record CopyRun(Name to, Poly toAt, Name from, Poly fromAt, PrimType elem, Expr count)
      implements Simple {}

  /** Writes a run of equal elements. */
  record FillRun(Name block, PrimType elem, Poly at, Expr count, Expr value) implements Simple {}

  /** A conditional. */
  record If(Expr cond, List<Code> then, List<Code> otherwise) implements Compound {
    @Override
    public List<List<Code>> bodies() {
      return List.of(then, otherwise);
    }
  }

  /**
   * A counting loop, from {@code from} to below {@code to}.
   *
   * @param type of the index and of the bounds: an integer type
   * @param range what is known of the bounds; where it is something, the type is i64
   * @param invariant how many statements, at the start of the body, compute the same in every
   *     iteration; if there are any, the loop is known to run at least once, so that they may be
   *     done before it
   * @param order what is known of the order of iterations
   */
  record For(
      Name index,
      PrimType type,
      Expr from,
      Expr to,
      Range range,
      int invariant,
      Order order,
      List<Code> body)
      implements Compound {
    public For {
      if (invariant < 0 || invariant > body.size()) throw new IllegalArgumentException();
    }

    /** A loop of whose bounds nothing is known. */
    public For(
        Name index,
        PrimType type,
        Expr from,
        Expr to,
        int invariant,
        Order order,
        List<Code> body) {
      this(index, type, from, to, Range.UNKNOWN, invariant, order, body);
    }

    /** A loop of which nothing is known. */
    public For(Name index, PrimType type, Expr from, Expr to, List<Code> body) {
      this(index, type, from, to, 0, Order.UNKNOWN, body);
    }

    /** A loop with another body, of which nothing is known; the bounds are the same. */
    public For withBody(List<Code> body) {
      return new For(index, type, from, to, range, 0, Order.UNKNOWN, body);
    }

    /**
     * A loop with another body, whose iterations depend on each other only if they did before; the
     * bounds are the same.
     */
    public For withIterations(List<Code> body) {
      Order now = order instanceof Order.Independent ? order : Order.UNKNOWN;
      return new For(index, type, from, to, range, 0, now, body);
    }

    /** The loop, of whose bounds that is known. */
    public For withRange(Range range) {
      return range == this.range
          ? this
          : new For(index, type, from, to, range, invariant, order, body);
    }

    /** Another loop that runs over some of the same iterations, or fewer. */
    public For within(Name index, Expr from, Expr to, List<Code> body) {
      return new For(index, type, from, to, range, 0, Order.UNKNOWN, body);
    }

    /**
     * The body in three parts, perhaps empty: what is known of the loop is of the first of them, or
     * of the first two.
     */
    public List<List<Code>> parts() {
      int first = Math.min(invariant, independent());
      int second = Math.max(invariant, independent());
      return List.of(
          body.subList(0, first), body.subList(first, second), body.subList(second, body.size()));
    }

    /** The loop with other {@link #parts}, of which the same is known. */
    public For withParts(List<List<Code>> parts) {
      int first = parts.get(0).size();
      int second = first + parts.get(1).size();
      List<Code> all = new ArrayList<>();
      parts.forEach(all::addAll);
      int invariantNow = invariant <= independent() ? first : second;
      int independentNow = invariant <= independent() ? second : first;
      Order now =
          switch (order) {
            case Order.Independent o -> o;
            case Order.Sequential o -> new Order.Sequential(independentNow, o.operators());
          };
      return new For(index, type, from, to, range, invariantNow, now, all);
    }

    /** How many statements, at the start of the body, depend on no other iteration. */
    public int independent() {
      return switch (order) {
        case Order.Independent o -> body.size();
        case Order.Sequential o -> o.independent();
      };
    }

    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /** What is known of the bounds of a loop with an i64 index. */
  enum Range {
    /** Nothing. */
    UNKNOWN,
    /** If the loop runs at all, its bounds are in [0, 2³¹). */
    FITS,
    /** They are as well, and the index is held in 32 bits. */
    NARROW,
    /** There is another version for bounds that fit: this one is hardly ever run. */
    WIDE;

    /** Whether the bounds are in [0, 2³¹) if the loop runs. */
    public boolean fits() {
      return this == FITS || this == NARROW;
    }
  }

  /** What is known of the order of a loop's iterations. */
  sealed interface Order {
    /** Nothing. */
    Order UNKNOWN = new Sequential(0, List.of());

    /** Iterations may run in any order, and side by side. */
    record Independent() implements Order {}

    /**
     * The ends of iterations are in order.
     *
     * @param independent how many statements, at the start of the body, depend on no other
     *     iteration
     * @param operators if there are any, the other statements do nothing but to combine, in this
     *     order, what is accumulated with what those have computed, and nothing else in the loop
     *     uses the accumulators: a reduction
     */
    record Sequential(int independent, List<ReductionOperator> operators) implements Order {
      public Sequential {
        operators = List.copyOf(operators);
      }
    }
  }

  /** Repeats the body as long as the variable, a boolean that the body assigns, is true. */
  record While(Name cond, List<Code> body) implements Compound {
    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /**
   * Statements with a scope of their own that are a function of their own when the program runs.
   *
   * @param results which of the variables that are declared outside, and that the statements
   *     assign, have their new values afterwards; the others may not be read before they are
   *     assigned again
   */
  record Outlined(List<Name> results, List<Code> body) implements Compound {
    public Outlined {
      results = List.copyOf(results);
    }

    /** Returns a function with another body. A result that the body does not assign is left out. */
    public Outlined withBody(List<Code> body) {
      Set<Name> assigned = Variables.assignedBy(body);
      return new Outlined(results.stream().filter(assigned::contains).toList(), body);
    }

    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /** Statements with a scope of their own. */
  record Scope(List<Code> body) implements Compound {
    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /** Stops the program with a message unless the condition is true. */
  record Assert(Expr cond, List<MessagePart> message, List<Loc> trace) implements Simple {}

  /** A part of a message. */
  sealed interface MessagePart {
    /** Fixed text. */
    record Text(String text) implements MessagePart {}

    /** A value, shown without a type suffix; unsigned where marked. */
    record Value(Expr value, boolean unsigned) implements MessagePart {}
  }

  /**
   * Ends the program's call if it has been cancelled. Not part of kernels: a device cannot be told.
   */
  record CheckCancelled() implements Simple {}

  /** Prints a value. */
  record Trace(BasicOp.Tag tag, Expr value) implements Simple {}

  /** Calls a function. The targets are declared here. */
  record Call(List<Variable> targets, String function, List<Operand> args) implements Simple {}

  /** A variable: a scalar, or a block of elements of the type. */
  record Variable(Name name, PrimType type, boolean isBlock) {
    /** A scalar. */
    public static Variable scalar(Name name, PrimType type) {
      return new Variable(name, type, false);
    }

    /** A block of elements of the type. */
    public static Variable block(Name name, PrimType elem) {
      return new Variable(name, elem, true);
    }

    /** The variable as an argument. */
    public Operand operand() {
      return isBlock ? new Operand.Block(name, type) : new Operand.Scalar(new Expr.Var(name, type));
    }
  }

  /** An argument: a scalar or a block. */
  sealed interface Operand {
    /** A scalar. */
    record Scalar(Expr value) implements Operand {}

    /** A block. */
    record Block(Name name, PrimType elem) implements Operand {}
  }

  /** What only programs for several cores have. */
  sealed interface Multicore extends Code {}

  /**
   * Declares an i64: how many chunks to cut a parallel region into. Depends on the operands and the
   * number of threads only.
   *
   * @param total how many iterations there are
   * @param cost of one iteration, in elementary operations
   * @param perThread how many chunks a thread gets at most
   */
  record ChunkCount(Name chunks, Expr total, Poly cost, int perThread)
      implements Multicore, Simple {}

  /**
   * Declares an i64: how long a parallel region takes, roughly, in elementary operations, for
   * versions of code to be compared. Depends on the operands and the number of threads only.
   *
   * @param total how many iterations there are
   * @param cost of one iteration, in elementary operations
   * @param chained whether it is a chained scan, which goes over what is cut up twice
   */
  record RegionTime(Name time, Expr total, Poly cost, boolean chained)
      implements Multicore, Simple {}

  /** Declares an i64: how many threads there are. */
  record ThreadCount(Name threads) implements Multicore, Simple {}

  /**
   * A parallel region: the body is run for each chunk of a range. Its {@code chunk}, {@code from}
   * and {@code to} are i64.
   *
   * @param label unique in the program
   */
  record Parallel(
      String label,
      Loc loc,
      Expr total,
      Expr chunks,
      Name chunk,
      Name from,
      Name to,
      List<Code> body)
      implements Multicore, Compound {
    /** The region with another body. */
    public Parallel withBody(List<Code> body) {
      return body == this.body
          ? this
          : new Parallel(label, loc, total, chunks, chunk, from, to, body);
    }

    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /**
   * A parallel scan over chunks: {@code reduce} for each chunk, {@code combine} in order of the
   * chunks, each after the chunk's own {@code reduce}, then {@code scan} after the {@code combine}
   * of the chunk before. With a single chunk, {@code scan} alone. All see the same variables.
   */
  record ChainedScan(
      String label,
      Loc loc,
      Expr total,
      Expr chunks,
      Name chunk,
      Name from,
      Name to,
      List<Code> reduce,
      List<Code> combine,
      List<Code> scan)
      implements Multicore, Compound {
    /** The scan with other bodies. */
    public ChainedScan withBodies(List<Code> reduce, List<Code> combine, List<Code> scan) {
      return reduce == this.reduce && combine == this.combine && scan == this.scan
          ? this
          : new ChainedScan(label, loc, total, chunks, chunk, from, to, reduce, combine, scan);
    }

    @Override
    public List<List<Code>> bodies() {
      return List.of(reduce, combine, scan);
    }
  }

  /** Runs the body while no other thread runs one with the same key (or with some other keys). */
  record Locked(Expr key, List<Code> body) implements Multicore, Compound {
    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /**
   * What only programs for a GPU have. Device memory is bytes: a block of it is declared as one of
   * i8, and whatever uses it says as elements of which type it is taken, so that an index counts
   * elements of that type. On the host every block is one of the device, but for those of
   * constants, which can only be copied from.
   */
  sealed interface Gpu extends Code {}

  /** What the host of a GPU does. It may not use elements of blocks otherwise. */
  sealed interface Host extends Gpu {}

  /** What is part of kernels. */
  sealed interface Kernel extends Gpu {}

  /**
   * Runs a kernel: its body is run by each thread of each block. The body may use, but not change,
   * the variables around: these are the kernel's parameters, as {@link Variables#usedBy} lists
   * them. Kernels run in the order in which they are launched, and the host does not wait for them.
   *
   * @param label unique in the program: the kernel's name
   * @param block bound to the number of the thread's block, an i64
   * @param thread bound to the number of the thread in its block, an i64
   * @param blocks how many blocks there are, from 0 on; an i64
   * @param threads how many threads a block has, at least one; an i64
   * @param resident how many threads a multiprocessor had better hold at a time, whose registers
   *     have to suffice for them; zero if that is left to the kernel's compiler
   * @param shared the memory that the threads of a block share
   */
  record Launch(
      String label,
      Loc loc,
      Name block,
      Name thread,
      Expr blocks,
      Expr threads,
      int resident,
      List<Shared> shared,
      List<Code> body)
      implements Host, Compound {
    public Launch {
      if (resident < 0) throw new IllegalArgumentException(resident + " threads");
      shared = List.copyOf(shared);
      body = List.copyOf(body);
    }

    /** The launch of a kernel with another body. */
    public Launch withBody(List<Code> body) {
      return body == this.body
          ? this
          : new Launch(label, loc, block, thread, blocks, threads, resident, shared, body);
    }

    /**
     * Whether a loop is a grid-stride loop: all threads of the kernel take turns at its iterations,
     * of which each begins with its own number, and goes on by how many threads there are.
     */
    public boolean isGridStride(Strided loop) {
      Poly size = threads.poly();
      Poly grid = blocks.poly();
      Poly end = loop.to.poly();
      return size != null
          && grid != null
          && size.times(Poly.of(block)).plus(Poly.of(thread)).equals(loop.from.poly())
          && size.times(grid).equals(loop.step.poly())
          && end != null
          && !end.mentions(Set.of(block, thread));
    }

    /** The names that the kernel itself binds. */
    public List<Name> bound() {
      List<Name> names = new ArrayList<>(List.of(block, thread));
      for (Shared s : shared) names.add(s.block());
      return names;
    }

    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /**
   * Memory that the threads of a block share, of undefined contents, as the kernel's body knows it:
   * a block of i8, used as one of device memory is.
   *
   * @param bytes how many, an i64 that the host computes
   */
  record Shared(Name block, Expr bytes) {}

  /**
   * Declares scalars and sets them to elements of device memory, all fetched at once: the host
   * waits for all that it has had the device do, and fails if any of that has failed.
   */
  record ReadElements(List<ElementRead> elements) implements Host, Simple {
    public ReadElements {
      elements = List.copyOf(elements);
    }
  }

  /** A scalar, and the element of its type that it is set to. */
  record ElementRead(Name target, Name block, PrimType elem, Poly index) {
    /** The scalar. */
    public Variable variable() {
      return Variable.scalar(target, elem);
    }
  }

  /** Sets an element of device memory; the host does not wait. */
  record WriteElement(Name block, PrimType elem, Poly index, Expr value) implements Host, Simple {}

  /** Declares an i64: the value of a tuning parameter. */
  record GetSize(Name target, TuningParameter parameter) implements Host, Simple {}

  /** Declares an i64: the largest value of a class of tuning parameters on the device. */
  record GetSizeMax(Name target, SizeClass sizeClass) implements Host, Simple {}

  /** Declares a boolean: whether a tuning parameter, a threshold, is at most the value. */
  record CompareSize(Name target, TuningParameter parameter, Expr value) implements Host, Simple {}

  /** Which memory a block is part of. */
  enum Memory {
    /** Device memory, which all threads see. */
    DEVICE,
    /** Memory that the threads of a block share. */
    SHARED,
    /** Memory of one thread. */
    PRIVATE
  }

  /** Declares an array of the thread's own, of a constant size and undefined contents. */
  record Private(Name block, PrimType elem, long size) implements Kernel, Simple {}

  /**
   * Declares a variable for a block of some memory; without a value, {@link SetBlock} sets it
   * before it is used. Kernels declare block variables in no other way.
   *
   * @param elem i8, unless the memory is the thread's own
   * @param offset the element of the other block with which this one begins; zero if there is no
   *     value
   */
  record DeclarePointer(Name block, Memory memory, PrimType elem, @Nullable Name value, Poly offset)
      implements Kernel, Simple {}

  /**
   * Waits until all threads of the block are here: what they have written before to device memory
   * or shared memory, they all see. Threads of a block go through the same barriers: no branch and
   * no loop that depends on the thread is around one.
   */
  record Barrier() implements Kernel, Simple {}

  /**
   * What the thread has written before, all threads see before what it writes afterwards.
   *
   * @param ofBlock whether that is all threads of its block, which takes much less time
   */
  record Fence(boolean ofBlock) implements Kernel, Simple {}

  /**
   * Declares a scalar: the value of an expression for the thread that is so many threads further on
   * in the same group of neighbours; the thread's own where there is none. Threads of the block go
   * through it together, as through a barrier, but need not see what others have written before.
   *
   * @param distance an i64, negative for a thread that comes before
   * @param width how many threads are in a group, from the block's first on; a power of two, and no
   *     more than a warp has
   */
  record Shuffle(Name target, PrimType elem, Expr value, Expr distance, int width)
      implements Kernel, Simple {
    public Shuffle {
      if (Integer.bitCount(width) != 1) throw new IllegalArgumentException("width " + width);
    }
  }

  /** Declares two scalars: the sine and the cosine of an f32 or f64. */
  record SineAndCosine(Name sine, Name cosine, PrimType type, Expr operand)
      implements Kernel, Simple {}

  /** What an atomic operation makes of the old value and the operand. */
  enum AtomicOp {
    ADD,
    /** Of f32 or f64. */
    FADD,
    SMIN,
    SMAX,
    UMIN,
    UMAX,
    AND,
    OR,
    XOR,
    /** The operand. */
    EXCHANGE;

    /** Whether there is such an operation on elements of the type. */
    public boolean fits(PrimType elem) {
      return this == FADD
          ? elem == PrimType.F32 || elem == PrimType.F64
          : elem == PrimType.I32 || elem == PrimType.I64;
    }

    /** As in text: {@code add}. */
    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * Changes an element of device memory or shared memory, nothing coming in between, and declares a
   * scalar that is its old value.
   */
  record Atomic(Name old, AtomicOp op, Name block, PrimType elem, Poly index, Expr operand)
      implements Kernel, Simple {}

  /**
   * Sets an element, an i32 or i64, of device memory or shared memory if it is the expected value,
   * nothing coming in between, and declares a scalar that is its old value.
   */
  record CompareAndSet(Name old, Name block, PrimType elem, Poly index, Expr expected, Expr value)
      implements Kernel, Simple {}

  /** Declares a scalar and sets it to an element that other threads may change meanwhile. */
  record VolatileLoad(Name target, Name block, PrimType elem, Poly index)
      implements Kernel, Simple {}

  /** Sets an element that other threads may look at meanwhile, with {@link VolatileLoad}. */
  record VolatileStore(Name block, PrimType elem, Poly index, Expr value)
      implements Kernel, Simple {}

  /**
   * Runs the body, in which an {@link Assert} may fail, even one in a function that is called: then
   * the failure is recorded, unless there is one already, and the thread goes on after the body.
   * There are no barriers inside, and no other place in a kernel for an assertion.
   */
  record Attempt(List<Code> body) implements Kernel, Compound {
    public Attempt {
      body = List.copyOf(body);
    }

    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /**
   * A loop in steps: its index, an i64, is {@code from}, and then greater by {@code step} each
   * time, as long as it is below {@code to}.
   *
   * @param step greater than zero
   * @param independent how many statements, at the start of the body, depend on no other iteration;
   *     if all, iterations may run in any order, and side by side
   */
  record Strided(Name index, Expr from, Expr to, Expr step, int independent, List<Code> body)
      implements Kernel, Compound {
    public Strided {
      body = List.copyOf(body);
      if (independent < 0 || independent > body.size()) throw new IllegalArgumentException();
    }

    /** Whether iterations may run in any order. */
    public boolean isIndependent() {
      return independent == body.size();
    }

    /** The body in two parts, perhaps empty, the first of which depends on no other iteration. */
    public List<List<Code>> parts() {
      return List.of(body.subList(0, independent), body.subList(independent, body.size()));
    }

    /** The loop with other {@link #parts}. */
    public Strided withParts(List<List<Code>> parts) {
      List<Code> all = new ArrayList<>(parts.get(0));
      all.addAll(parts.get(1));
      return new Strided(index, from, to, step, parts.get(0).size(), all);
    }

    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /** A barrier, after which the threads end if one of the block has failed before. */
  record LeaveIfFailed() implements Kernel, Simple {}
}
