package futharkc.core.ir.imperative;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.TuningParameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement of the imperative language. Variables are scalars or memory blocks. An array access
 * names a block and gives the element offset as a polynomial over i64 variables. The first
 * occurrence of a name in a list of statements declares it; its scope extends to the end of that
 * list.
 */
public sealed interface Code {
  /** A statement without nested statements. */
  sealed interface Simple extends Code {}

  /** A statement with nested statements. */
  sealed interface Compound extends Code {
    /**
     * Returns the lists of nested statements, each of which is a scope. Bodies of reduction
     * operators are not included.
     */
    List<List<Code>> bodies();
  }

  /** Declares a scalar. Without a value, an assignment precedes every read. */
  record Declare(Name name, PrimType type, @Nullable Expr value) implements Simple {}

  /** Assigns a scalar. */
  record Assign(Name name, Expr value) implements Simple {}

  /** Declares a block variable. Without a value, {@link SetBlock} precedes every use. */
  record DeclareBlock(Name block, PrimType elem, @Nullable Name value) implements Simple {}

  /** Makes a block variable refer to another variable's block. */
  record SetBlock(Name block, PrimType elem, Name value) implements Simple {}

  /** Declares a block variable and allocates its block with undefined contents. */
  record Alloc(Name block, PrimType elem, Expr size, Loc loc) implements Simple {}

  /** Declares a block variable with an empty block, for use with {@link Reserve}. */
  record DeclareScratch(Name block, PrimType elem) implements Simple {}

  /** Ensures a minimum length of the block. The contents become undefined. */
  record Reserve(Name block, PrimType elem, Expr size, Loc loc) implements Simple {}

  /** Releases a block unless one of the variables in {@code unless} refers to the same block. */
  record Free(Name block, PrimType elem, List<Name> unless) implements Simple {}

  /**
   * Executes {@code then} if none of the variables in {@code inUse} refers to the block, otherwise
   * {@code otherwise}.
   */
  record IfUnused(
      Name block, PrimType elem, List<Name> inUse, List<Code> then, List<Code> otherwise)
      implements Compound {
    @Override
    public List<List<Code>> bodies() {
      return List.of(then, otherwise);
    }
  }

  /** Declares a block of constants, which is read-only. */
  record ConstantBlock(Name block, PrimType elem, List<PrimValue> values) implements Simple {}

  /** Excludes a block from reuse for other arrays. */
  record Pin(Name block, PrimType elem) implements Simple {}

  /** Writes an element of a block. */
  record Store(Name block, PrimType elem, Poly index, Expr value) implements Simple {}

  /** Copies consecutive elements. Source and destination may overlap. */
  record CopyRun(Name to, Poly toAt, Name from, Poly fromAt, PrimType elem, Expr count)
      implements Simple {}

  /** Writes one value to consecutive elements. */
  record FillRun(Name block, PrimType elem, Poly at, Expr count, Expr value) implements Simple {}

  /**
   * Applies a function to the first elements of a block, and writes the results to the first
   * elements of another block or of the same block. The results are those of the scalar function.
   *
   * @param fun a function that {@link #isMapped}
   */
  record MapRun(PrimFun fun, Name to, Name from, Expr count) implements Simple {
    /** Tests whether the JVM has vector code for a function. */
    public static boolean isMapped(PrimFun fun) {
      return fun.type() == PrimType.F32
          && (fun.kind() == PrimFun.Kind.SIN || fun.kind() == PrimFun.Kind.COS);
    }
  }

  /** A conditional. */
  record If(Expr cond, List<Code> then, List<Code> otherwise) implements Compound {
    @Override
    public List<List<Code>> bodies() {
      return List.of(then, otherwise);
    }
  }

  /**
   * A counted loop from {@code from} to {@code to - 1}.
   *
   * @param type the integer type of the index and the bounds
   * @param range the known range of the bounds; if known, the type is i64
   * @param invariant the number of statements at the start of the body that are loop-invariant; if
   *     positive, the loop is known to run at least once, so that these statements may be hoisted
   * @param order the known dependences between iterations
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
      if (invariant < 0 || invariant > body.size()) {
        throw new IllegalArgumentException();
      }
    }

    /** Makes a loop with unknown bounds. */
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

    /** Makes a loop with unknown bounds and unknown dependences. */
    public For(Name index, PrimType type, Expr from, Expr to, List<Code> body) {
      this(index, type, from, to, 0, Order.UNKNOWN, body);
    }

    /** Returns a loop with another body, with unknown dependences and the same bounds. */
    public For withBody(List<Code> body) {
      return new For(index, type, from, to, range, 0, Order.UNKNOWN, body);
    }

    /**
     * Returns a loop with another body and the same bounds. The new body must add no dependence
     * between iterations.
     */
    public For withIterations(List<Code> body) {
      Order now = order instanceof Order.Independent ? order : Order.UNKNOWN;
      return new For(index, type, from, to, range, 0, now, body);
    }

    /** Returns this loop with a known range of its bounds. */
    public For withRange(Range range) {
      return range == this.range
          ? this
          : new For(index, type, from, to, range, invariant, order, body);
    }

    /** Returns another loop over a subset of this loop's iterations. */
    public For within(Name index, Expr from, Expr to, List<Code> body) {
      return new For(index, type, from, to, range, 0, Order.UNKNOWN, body);
    }

    /**
     * Returns the body in three consecutive parts, which may be empty: invariant statements,
     * further statements independent of other iterations, and all others.
     */
    public List<List<Code>> parts() {
      int first = Math.min(invariant, independent());
      int second = Math.max(invariant, independent());
      return List.of(
          body.subList(0, first), body.subList(first, second), body.subList(second, body.size()));
    }

    /** Returns this loop with other {@link #parts} that have the same properties. */
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

    /**
     * Returns the number of statements at the start of the body that are independent of other
     * iterations.
     */
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

  /** The known range of the bounds of a loop with an i64 index. */
  enum Range {
    /** An unknown range. */
    UNKNOWN,
    /** Bounds in [0, 2³¹) if the loop runs at all. */
    FITS,
    /** Bounds as with {@link #FITS}, and a 32-bit index. */
    NARROW,
    /**
     * Unknown bounds of a loop whose other version handles bounds in [0, 2³¹). This loop rarely
     * runs.
     */
    WIDE;

    /** Tests whether the bounds are in [0, 2³¹) if the loop runs. */
    public boolean fits() {
      return this == FITS || this == NARROW;
    }
  }

  /** The known dependences between a loop's iterations. */
  sealed interface Order {
    /** Unknown dependences. */
    Order UNKNOWN = new Sequential(0, List.of());

    /** Iterations may run in any order and in parallel. */
    record Independent() implements Order {}

    /**
     * The final statements of iterations run in order.
     *
     * @param independent the number of statements at the start of the body that are independent of
     *     other iterations
     * @param operators the operators of a reduction. If there are any, the remaining statements
     *     only combine, in this order, accumulators with values from the independent statements,
     *     and nothing else in the loop uses the accumulators
     */
    record Sequential(int independent, List<ReductionOperator> operators) implements Order {
      public Sequential {
        operators = List.copyOf(operators);
      }
    }
  }

  /** Repeats the body while the variable, a boolean that the body assigns, is true. */
  record While(Name cond, List<Code> body) implements Compound {
    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /**
   * Statements in a scope of their own that the printer emits as a separate function.
   *
   * @param results the assigned outer variables whose new values are used afterwards; other
   *     assigned outer variables must be assigned again before they are read
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

  /** Statements in a scope of their own. */
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

    /**
     * A value, printed without a type suffix.
     *
     * @param unsigned true to print an integer as unsigned
     */
    record Value(Expr value, boolean unsigned) implements MessagePart {}
  }

  /**
   * Ends the program's call if it has been cancelled. Illegal in kernels, since a host cannot
   * signal a running kernel.
   */
  record CheckCancelled() implements Simple {}

  /** Prints a text. A line ends with a text that ends with a line break. */
  record Trace(List<MessagePart> message) implements Simple {
    public Trace {
      message = List.copyOf(message);
    }
  }

  /** Calls a function and declares the targets, which receive the results. */
  record Call(List<Variable> targets, String function, List<Operand> args) implements Simple {}

  /** A scalar variable, or a block variable whose elements have the type. */
  record Variable(Name name, PrimType type, boolean isBlock) {
    /** Returns a scalar variable. */
    public static Variable scalar(Name name, PrimType type) {
      return new Variable(name, type, false);
    }

    /** Returns a block variable with the given element type. */
    public static Variable block(Name name, PrimType elem) {
      return new Variable(name, elem, true);
    }

    /** Returns the variable as an argument. */
    public Operand operand() {
      return isBlock ? new Operand.Block(name, type) : new Operand.Scalar(new Expr.Var(name, type));
    }
  }

  /** An argument of a call: a scalar or a block. */
  sealed interface Operand {
    /** A scalar. */
    record Scalar(Expr value) implements Operand {}

    /** A block. */
    record Block(Name name, PrimType elem) implements Operand {}
  }

  /**
   * Statements of vector code. A lane variable has a value in each lane of a vector: an integer or
   * a float of 32 or 64 bits, or a boolean. A lane runs one iteration of a {@link VectorLoop}.
   */
  sealed interface Vector extends Code {}

  /**
   * A loop over i64, of which the first iterations run in groups of {@code lanes}, side by side.
   * Iterations are independent. The body runs groups from the start, but not necessarily all: it
   * may leave any number of whole groups to {@code rest}. It contains lane statements, and
   * statements on scalars that are the same in all lanes.
   *
   * @param done the first iteration that the body has not run, an i64 in the scope of {@code rest}
   * @param index the iteration of a lane, a lane variable in the scope of the body
   * @param lanes the number of lanes, a power of two
   * @param rest statements that run the iterations from {@code done} to {@code to - 1}
   */
  record VectorLoop(
      Name done, Name index, Expr from, Expr to, int lanes, List<Code> body, List<Code> rest)
      implements Vector, Compound {
    public VectorLoop {
      if (Integer.bitCount(lanes) != 1 || lanes < 2 || lanes > 16) {
        throw new IllegalArgumentException("lanes " + lanes);
      }
      body = List.copyOf(body);
      rest = List.copyOf(rest);
    }

    /** Returns this loop with other code for the iterations that the body does not run. */
    public VectorLoop withRest(List<Code> rest) {
      return rest == this.rest ? this : new VectorLoop(done, index, from, to, lanes, body, rest);
    }

    @Override
    public List<List<Code>> bodies() {
      return List.of(body, rest);
    }
  }

  /**
   * Declares a lane variable. The expression is evaluated in each lane. Without a value, an
   * assignment in a lane precedes every read in this lane whose result matters.
   */
  record DeclareLanes(Name name, PrimType type, @Nullable Expr value) implements Vector, Simple {}

  /**
   * Assigns a lane variable.
   *
   * @param mask a boolean lane variable: only lanes in which it is true are assigned, and access
   *     memory; null for all lanes
   */
  record AssignLanes(Name name, Expr value, @Nullable Name mask) implements Vector, Simple {}

  /**
   * Writes an element of a block in each lane. Lanes write consecutive elements.
   *
   * @param mask a boolean lane variable: only lanes in which it is true write; null for all lanes
   */
  record StoreLanes(Name block, PrimType elem, Poly index, Expr value, @Nullable Name mask)
      implements Vector, Simple {}

  /** Assigns a boolean scalar: true if the lane variable {@code mask} is true in any lane. */
  record AnyLane(Name name, Name mask) implements Vector, Simple {}

  /** Statements of programs for several CPU cores only. */
  sealed interface Multicore extends Code {}

  /**
   * Declares an i64: the number of chunks of a parallel region. The number depends only on the
   * operands and the thread count.
   *
   * @param total the number of iterations
   * @param cost the cost of one iteration in elementary operations
   * @param perThread the maximum number of chunks per thread
   */
  record ChunkCount(Name chunks, Expr total, Poly cost, int perThread)
      implements Multicore, Simple {}

  /**
   * Declares an i64: the estimated time of a parallel region in elementary operations, for choosing
   * between versions of code. The estimate depends only on the operands and the thread count.
   *
   * @param total the number of iterations
   * @param cost the cost of one iteration in elementary operations
   * @param chained true for a chained scan, which traverses its input twice if there are several
   *     chunks
   */
  record RegionTime(Name time, Expr total, Poly cost, boolean chained)
      implements Multicore, Simple {}

  /** Declares an i64: the number of threads. */
  record ThreadCount(Name threads) implements Multicore, Simple {}

  /**
   * A parallel region, which runs the body for each chunk of an iteration range. {@code chunk},
   * {@code from} and {@code to} are i64: the chunk's number and its bounds.
   *
   * @param label a label, unique in the program
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
    /** Returns this region with another body. */
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
   * A parallel scan over chunks. Each chunk runs {@code reduce}. {@code combine} runs in order of
   * the chunks, each after the chunk's {@code reduce}. {@code scan} of a chunk runs after {@code
   * combine} of the previous chunk. With a single chunk, only {@code scan} runs. All three bodies
   * use the same variables.
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
    /** Returns this scan with other bodies. */
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

  /** Runs the body under a lock. Keys may share a lock. */
  record Locked(Expr key, List<Code> body) implements Multicore, Compound {
    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /**
   * Statements of GPU programs only. Device memory is addressed in bytes: a block is declared with
   * element type i8, and each access gives the type of its elements, in which indices count. All
   * blocks of host code are device blocks, except blocks of constants, which are only sources of
   * copies.
   */
  sealed interface Gpu extends Code {}

  /**
   * Statements of host code only. Host code accesses elements of blocks with these statements only.
   * {@link OnCopies} has code that accesses elements of copies.
   */
  sealed interface Host extends Gpu {}

  /** Statements of kernels only. */
  sealed interface Kernel extends Gpu {}

  /**
   * Launches a kernel. Each thread of each thread block runs the body. The body may read variables
   * of the host code, but not assign them; they become the kernel's parameters, listed by {@link
   * Variables#usedBy}. Kernels run in launch order. The host does not wait for them.
   *
   * @param label the kernel's name, unique in the program
   * @param block the name bound to the number of the thread block, an i64
   * @param thread the name bound to the number of the thread in its thread block, an i64
   * @param grid the threads that run the kernel
   * @param space the dimensions of the kernel's index space, outermost first; empty if the kernel
   *     has no index space. The threads of the grid share out the indices in row-major order.
   * @param shared the shared memory of each thread block
   */
  record Launch(
      String label,
      Loc loc,
      Name block,
      Name thread,
      Grid grid,
      List<Dimension> space,
      List<Shared> shared,
      List<Code> body)
      implements Host, Compound {
    public Launch {
      space = List.copyOf(space);
      shared = List.copyOf(shared);
      body = List.copyOf(body);
      if (grid.covers && space.isEmpty()) {
        throw new IllegalArgumentException(label + " covers an unknown index space");
      }
    }

    /** Returns the number of thread blocks, an i64. */
    public Expr blocks() {
      return grid.blocks;
    }

    /** Returns the number of threads per thread block, an i64. */
    public Expr threads() {
      return grid.threads;
    }

    /** Returns this launch with another kernel body, for the same index space. */
    public Launch withBody(List<Code> body) {
      return body == this.body
          ? this
          : new Launch(label, loc, block, thread, grid, space, shared, body);
    }

    /** Returns this launch with another kernel body, which has no index space. */
    public Launch redistributed(List<Code> body) {
      return new Launch(label, loc, block, thread, grid.uncovered(), List.of(), shared, body);
    }

    /**
     * Tests whether the threads of the grid share out a loop whose trip count is the same for all
     * threads.
     */
    public boolean sharesOut(Strided loop) {
      Poly end = loop.to.poly();
      return loop.distribution == Distribution.GRID
          && end != null
          && !end.mentions(Set.of(block, thread));
    }

    /** Tests whether the grid has a thread for each iteration of a loop. */
    public boolean covers(Strided loop) {
      return grid.covers && sharesOut(loop) && size().equals(loop.to.poly());
    }

    /** Returns the number of indices of the index space. */
    public Poly size() {
      return space.stream().map(Dimension::extent).reduce(Poly.ONE, Poly::times);
    }

    /** Returns the names that the kernel itself binds. */
    public List<Name> bound() {
      List<Name> names = new ArrayList<>(List.of(block, thread));
      for (Shared s : shared) {
        names.add(s.block());
      }
      return names;
    }

    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /**
   * The threads of a kernel launch.
   *
   * @param blocks the number of thread blocks, an i64
   * @param threads the number of threads per thread block, at least one, an i64
   * @param resident the number of threads that a multiprocessor should hold at a time, which limits
   *     their registers; zero to leave the choice to the kernel compiler
   * @param covers true if the grid has a thread for each index of the kernel's index space
   */
  record Grid(Expr blocks, Expr threads, int resident, boolean covers) {
    public Grid {
      if (resident < 0) {
        throw new IllegalArgumentException(resident + " threads");
      }
    }

    /** Returns this grid without the guarantee of a thread for each index. */
    public Grid uncovered() {
      return covers ? new Grid(blocks, threads, resident, false) : this;
    }
  }

  /**
   * A dimension of a kernel's index space.
   *
   * @param index the variable of the kernel that holds the index in this dimension
   * @param flat the variable of the kernel that holds the row-major index in this dimension and all
   *     outer ones. The innermost dimension's is the index of the loop that the grid shares out.
   * @param extent the number of indices, which the host computes
   */
  record Dimension(Name index, Name flat, Poly extent) {}

  /**
   * An array in shared memory with undefined contents, visible in the kernel body as a block of i8.
   * Accesses give their element type.
   *
   * @param bytes the size in bytes, an i64 that the host computes
   */
  record Shared(Name block, Expr bytes) {}

  /**
   * Requests the value that an element of device memory has after all earlier operations. The host
   * does not wait. The value is undefined if the element is outside the block, so a request may
   * precede the check of its index. The statement declares the request, whose only use is in one
   * {@link AwaitElements} of the same list of statements.
   *
   * @param loc the source position of the read
   */
  record AskElement(Name request, Name block, PrimType elem, Poly index, Loc loc)
      implements Host, Simple {
    /** The type of requests in the scope of variables. */
    public static final PrimType REQUEST = PrimType.I32;

    /** Returns the request as a variable. */
    public Variable variable() {
      return Variable.scalar(request, REQUEST);
    }
  }

  /**
   * Waits until the device has finished all operations before the requests, and declares scalars
   * with the requested values. Fails if one of these operations has failed.
   */
  record AwaitElements(List<AwaitedElement> elements) implements Host, Simple {
    public AwaitElements {
      elements = List.copyOf(elements);
    }
  }

  /** A scalar of type {@code elem}, and the request for its value. */
  record AwaitedElement(Name target, PrimType elem, Name request) {
    /** Returns the scalar. */
    public Variable variable() {
      return Variable.scalar(target, elem);
    }
  }

  /** Writes an element of device memory. The host does not wait. */
  record WriteElement(Name block, PrimType elem, Poly index, Expr value) implements Host, Simple {}

  /**
   * Waits until the device has finished all earlier operations, copies device blocks into the
   * host's memory, runs the body on the copies, and writes back the copies that the body changes.
   * Fails if one of the earlier operations has failed. A block with several copies is copied once:
   * these copies are the same.
   *
   * <p>The body computes scalars, and accesses elements of the copies as code for CPUs does. A copy
   * is visible in the body as a block of i8.
   */
  record OnCopies(List<HostCopy> copies, List<Code> body) implements Host, Compound {
    public OnCopies {
      copies = List.copyOf(copies);
      body = List.copyOf(body);
    }

    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /**
   * A copy of a device block in the host's memory.
   *
   * @param copy the name bound to the copy
   * @param isChanged true if the body writes to the copy
   */
  record HostCopy(Name copy, Name block, boolean isChanged) {
    /** Returns the copy as a variable of the body. */
    public Variable variable() {
      return Variable.block(copy, PrimType.I8);
    }
  }

  /** Declares an i64 with the value of a tuning parameter. */
  record GetSize(Name target, TuningParameter parameter) implements Host, Simple {}

  /** Declares an i64 with the largest value of a class of tuning parameters on the device. */
  record GetSizeMax(Name target, SizeClass sizeClass) implements Host, Simple {}

  /** Declares a boolean that is true if a tuning parameter, a threshold, is at most the value. */
  record CompareSize(Name target, TuningParameter parameter, Expr value) implements Host, Simple {}

  /** The kind of memory that contains a block. */
  enum Memory {
    /** Device memory, visible to all threads. */
    DEVICE,
    /** Shared memory, visible to the threads of a thread block. */
    SHARED,
    /** Private memory of one thread. */
    PRIVATE
  }

  /** Declares a private array of a thread, of a constant size and with undefined contents. */
  record Private(Name block, PrimType elem, long size) implements Kernel, Simple {}

  /**
   * Declares a variable for a block in the given memory. Without a value, {@link SetBlock} precedes
   * every use. This is the only declaration of block variables in kernels.
   *
   * @param elem i8, unless the memory is private
   * @param offset the element of the other block at which this block begins; zero without a value
   */
  record DeclarePointer(Name block, Memory memory, PrimType elem, @Nullable Name value, Poly offset)
      implements Kernel, Simple {}

  /**
   * Waits until all threads of the thread block arrive. Earlier writes to device or shared memory
   * are visible to all of them afterwards. A barrier must not be inside a branch or loop that
   * depends on the thread.
   */
  record Barrier() implements Kernel, Simple {}

  /**
   * Makes the thread's earlier writes visible to other threads before its later writes.
   *
   * @param ofBlock true to order the writes for threads of the same thread block only, which is
   *     much faster
   */
  record Fence(boolean ofBlock) implements Kernel, Simple {}

  /**
   * Declares a scalar: the value of an expression in the thread at the given distance within a
   * group of neighbours, or the thread's own value if there is no such thread. All threads of the
   * thread block execute the statement together. Unlike a barrier, a shuffle does not make writes
   * visible.
   *
   * @param distance the distance in threads, an i64; negative for a lower-numbered thread
   * @param width the number of threads per group, counted from the thread block's first thread; a
   *     power of two, at most the warp size
   */
  record Shuffle(Name target, PrimType elem, Expr value, Expr distance, int width)
      implements Kernel, Simple {
    public Shuffle {
      if (Integer.bitCount(width) != 1) {
        throw new IllegalArgumentException("width " + width);
      }
    }
  }

  /** Declares two scalars: the sine and the cosine of an f32 or f64. */
  record SineAndCosine(Name sine, Name cosine, PrimType type, Expr operand)
      implements Kernel, Simple {}

  /**
   * The function that computes the new value of an atomic operation from the old value and the
   * operand.
   */
  enum AtomicOp {
    ADD,
    /** Addition of f32 or f64. */
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

    /** Tests whether the operation is available for elements of the type. */
    public boolean fits(PrimType elem) {
      return this == FADD
          ? elem == PrimType.F32 || elem == PrimType.F64
          : elem == PrimType.I32 || elem == PrimType.I64;
    }

    /** Returns the text form, for example {@code add}. */
    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * Updates an element of device or shared memory atomically and declares a scalar with its old
   * value.
   */
  record Atomic(Name old, AtomicOp op, Name block, PrimType elem, Poly index, Expr operand)
      implements Kernel, Simple {}

  /**
   * Compares an i32 or i64 element of device or shared memory with the expected value and sets it
   * if they are equal, atomically. Declares a scalar with the element's old value.
   */
  record CompareAndSet(Name old, Name block, PrimType elem, Poly index, Expr expected, Expr value)
      implements Kernel, Simple {}

  /** Declares a scalar and sets it to an element that other threads may change concurrently. */
  record VolatileLoad(Name target, Name block, PrimType elem, Poly index)
      implements Kernel, Simple {}

  /** Writes an element that other threads may read concurrently with {@link VolatileLoad}. */
  record VolatileStore(Name block, PrimType elem, Poly index, Expr value)
      implements Kernel, Simple {}

  /**
   * Runs the body, in which an {@link Assert} may fail, including one in a called function. On
   * failure, the thread records the failure unless another is recorded already, and continues after
   * the body. The body contains no barriers. Kernels contain assertions only inside such a body.
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

  /** The threads that share out the iterations of a strided loop. */
  enum Distribution {
    /** No threads: each thread runs all iterations of its loop. */
    NONE,
    /** The threads of a thread block, in turn: a thread begins at its number in the block. */
    BLOCK,
    /** The threads of the grid, in turn: a thread begins at its number in the grid. */
    GRID
  }

  /**
   * A strided loop with an i64 index: {@code from}, {@code from + step}, ... while less than {@code
   * to}.
   *
   * @param step the stride, greater than zero
   * @param distribution the threads that share out the iterations. With a distribution, {@code
   *     from} is a thread's number, and {@code step} the number of threads.
   * @param independent the number of statements at the start of the body that are independent of
   *     other iterations; if all are, iterations may run in any order and in parallel
   */
  record Strided(
      Name index,
      Expr from,
      Expr to,
      Expr step,
      Distribution distribution,
      int independent,
      List<Code> body)
      implements Kernel, Compound {
    public Strided {
      body = List.copyOf(body);
      if (independent < 0 || independent > body.size()) {
        throw new IllegalArgumentException();
      }
    }

    /** Tests whether iterations may run in any order. */
    public boolean isIndependent() {
      return independent == body.size();
    }

    /**
     * Returns the body in two consecutive parts, which may be empty: statements independent of
     * other iterations, and all others.
     */
    public List<List<Code>> parts() {
      return List.of(body.subList(0, independent), body.subList(independent, body.size()));
    }

    /**
     * Returns this loop with another body.
     *
     * @param independent the number of independent statements at the start of the body
     */
    public Strided withBody(int independent, List<Code> body) {
      return new Strided(index, from, to, step, distribution, independent, body);
    }

    /** Returns this loop with other {@link #parts} that have the same properties. */
    public Strided withParts(List<List<Code>> parts) {
      List<Code> all = new ArrayList<>(parts.get(0));
      all.addAll(parts.get(1));
      return withBody(parts.get(0).size(), all);
    }

    @Override
    public List<List<Code>> bodies() {
      return List.of(body);
    }
  }

  /**
   * Waits as a {@link Barrier}, then ends all threads of the thread block if one of them has
   * failed.
   */
  record LeaveIfFailed() implements Kernel, Simple {}
}
