package futharkc.core.ir;

import java.util.List;

/**
 * The cost model and limits of a machine for passes, lowering and printers. The numbers affect the
 * speed of programs and never their results. The measurements behind the numbers are in {@code
 * docs/results}.
 *
 * @param operations the costs of operations
 * @param accumulators the limits of {@code reassociate-reductions}
 * @param strips the limits of {@code strip-mine} and {@code loop-distribution}
 * @param jam the limits of {@code unroll-and-jam}
 * @param cacheTiles the limits of {@code cache-tiling}
 * @param methods the limits of methods and classes on the JVM
 * @param cancellation the intervals between checks for a cancelled call
 * @param copies the limits for copies of whole arrays
 * @param layouts the estimates for choices of array layouts
 * @param regions the division of parallel regions into chunks
 * @param threads the work of GPU threads
 * @param kernels the limits of kernels
 * @param host the defaults of tuning parameters of emitted host programs
 */
public record Target(
    Operations operations,
    Accumulators accumulators,
    StripLengths strips,
    Jam jam,
    CacheTiles cacheTiles,
    Methods methods,
    Cancellation cancellation,
    Copies copies,
    Layouts layouts,
    Regions regions,
    Threads threads,
    Kernels kernels,
    Host host) {

  /**
   * Costs in elementary operations. An elementary operation is an addition of numbers in registers.
   * The costs are rounded instruction latencies, suitable for comparisons but not for predicting
   * times.
   *
   * @param power a power or remainder of floats: a library call
   * @param division an integer division, which has no vector form
   * @param floatDivision a float division
   * @param function a transcendental function
   * @param shortFunction a function of one or a few instructions
   * @param load a load of an element from a near cache
   * @param call a call of a function, including inlining that the JVM forgoes
   * @param block an allocation or release of a memory block, or a print
   * @param run the start of a copy or fill of consecutive elements
   * @param lock an uncontended lock
   * @param unknownTrips the assumed trip count of a loop without a known bound
   * @param branch the largest cost of statements that are executed unconditionally to avoid a
   *     branch
   * @param segment the overhead of a segment: the entry and exit of a loop
   */
  public record Operations(
      int power,
      int division,
      int floatDivision,
      int function,
      int shortFunction,
      int load,
      int call,
      int block,
      int run,
      int lock,
      int unknownTrips,
      int branch,
      int segment) {}

  /**
   * Limits for splitting a reduction among several accumulators.
   *
   * @param most the maximum number of accumulators of a reduction, so that the loop's values fit in
   *     16 registers
   * @param bodyStatements the maximum number of statements that compute operands of the reduction
   * @param operatorStatements the maximum number of statements of the operators
   * @param shortRange the minimum trip count that justifies the setup
   * @param logParts the base-2 logarithm of the number of accumulators: enough to hide the latency
   *     of a float addition, few enough to keep the array's address in a register
   * @param logPartsOfColumn {@code logParts} for strided reads with one accumulator: more
   *     accumulators keep more reads in flight
   */
  public record Accumulators(
      int most,
      int bodyStatements,
      int operatorStatements,
      long shortRange,
      int logParts,
      int logPartsOfColumn) {}

  /**
   * Limits for loops that are executed strip by strip.
   *
   * @param longest the maximum trip count of a strip; the scalar iterations before and after the
   *     JVM's vector loop must be a small fraction
   * @param fewest the minimum trip count of a strip, given vectors of up to 16 floats
   * @param fewestOfFunctions the minimum trip count of a strip with functions on its elements,
   *     which must outweigh the loops around the functions
   * @param bytes the maximum size of expanded scalars in bytes: the first-level cache of common
   *     processors
   * @param operationsBehind the minimum cost, in elementary operations, of statements after an
   *     iteration's while-loops for splitting them off
   * @param operationsBefore the minimum cost, in elementary operations, of statements before an
   *     iteration's while-loops for splitting them off
   * @param scalars the maximum number of scalars between split loops; each costs a store and a load
   *     per iteration
   */
  public record StripLengths(
      int longest,
      int fewest,
      int fewestOfFunctions,
      int bytes,
      long operationsBehind,
      long operationsBefore,
      int scalars) {}

  /**
   * Limits for interleaving iterations of an outer loop.
   *
   * @param logWidth the base-2 logarithm of the number of interleaved iterations, which hide the
   *     latency of float additions
   * @param statements the maximum number of statements of an iteration; the interleaved iterations
   *     must stay far below HotSpot's compilation limit
   * @param innerStatements the maximum number of statements of an inner loop; the values of its
   *     interleaved iterations must nearly fit in registers
   */
  public record Jam(int logWidth, int statements, int innerStatements) {
    /** Returns the number of interleaved iterations. */
    public int width() {
      return 1 << logWidth;
    }
  }

  /**
   * Limits of matrix products and similar operations that compute one tile of results after the
   * other.
   *
   * @param bytes the bytes of a row of a tile: the elements of all steps of an inner loop must fit
   *     in the first-level cache
   * @param highest the maximum rows of a tile, which fits in the second-level cache
   * @param lowest the minimum rows of a tile, which must outweigh the packing of its columns
   * @param depth the maximum number of steps of an inner loop, a power of two
   * @param operations the maximum number of operations of an inner loop, which the JVM vectorises
   * @param tilesPerThread the number of tiles per thread for which rows of tiles are shortened
   * @param accumulators the maximum number of accumulators of a result
   * @param packed the maximum number of packed values of a column and step
   * @param ofRuns the smallest tiled product if the elements of each step are adjacent
   * @param ofStrides the smallest tiled product if they are not, since vectors do not pack them
   */
  public record CacheTiles(
      int bytes,
      int highest,
      int lowest,
      int depth,
      int operations,
      int tilesPerThread,
      int accumulators,
      int packed,
      LeastProduct ofRuns,
      LeastProduct ofStrides) {
    /** Returns these limits with other maximum rows of a tile. */
    public CacheTiles withHighest(int highest) {
      int low = Math.min(lowest, highest);
      return new CacheTiles(
          bytes,
          highest,
          low,
          depth,
          operations,
          tilesPerThread,
          accumulators,
          packed,
          ofRuns,
          ofStrides);
    }

    /** Returns these limits with another length of a tile's rows in bytes. */
    public CacheTiles withBytes(int bytes) {
      return new CacheTiles(
          bytes,
          highest,
          lowest,
          depth,
          operations,
          tilesPerThread,
          accumulators,
          packed,
          ofRuns,
          ofStrides);
    }

    /** Returns these limits for products of at least {@code least} rows, columns and steps. */
    public CacheTiles withLeast(int least) {
      LeastProduct p = new LeastProduct(least, least, least, least);
      return new CacheTiles(
          bytes, highest, lowest, depth, operations, tilesPerThread, accumulators, packed, p, p);
    }
  }

  /**
   * The smallest matrix product for which tiles are faster.
   *
   * @param rows the minimum rows of the result
   * @param columns the minimum columns of the result, so that vectors are mostly full
   * @param steps the minimum trip count of the loop, which must outweigh the code before and after
   *     it
   * @param work the minimum number of steps of all results
   */
  public record LeastProduct(int rows, int columns, int steps, long work) {}

  /**
   * Sizes of methods and classes, as upper estimates in bytes of bytecode. HotSpot optimises a
   * method as a whole, in time that grows faster than its size, and does not compile methods above
   * 8000 bytes.
   *
   * @param large the size up to which a method keeps all its loops
   * @param loop the minimum size of a loop that is moved to a method of its own
   * @param fewTrips the maximum trip count of a loop that always stays in its method
   * @param rest the minimum size of the code outside a loop for moving the loop to a method of its
   *     own
   * @param call the size of a call
   * @param limit the size above which a method is split; the class file format allows 65,535
   * @param part the maximum size of each method that results from a split
   * @param partsPerClass the number of split-off methods per class
   * @param classSize the source length in characters at which a new class begins; the class file
   *     format allows 65,535 constants per class
   * @param arguments the maximum number of parameters; the class file format allows 255, and longs
   *     count twice
   * @param smallArray the maximum length of a constant array that is emitted as an initialiser;
   *     longer ones are emitted as text
   * @param literal the maximum length of a string literal in characters; the class file format
   *     allows 65,535 bytes, at most three per character
   * @param cases the maximum number of cases that are emitted as nested conditionals, on which
   *     {@code javac} and HotSpot do badly; more cases are numbered and switched on
   * @param leaf the number of cases that are tested linearly at the leaves of a binary search
   * @param value the size of adding a value to a list
   * @param unswitched the maximum size of all versions of an unswitched innermost loop; a method
   *     with such versions keeps its loops
   */
  public record Methods(
      int large,
      int loop,
      int fewTrips,
      int rest,
      int call,
      int limit,
      int part,
      int partsPerClass,
      int classSize,
      int arguments,
      int smallArray,
      int literal,
      int cases,
      int leaf,
      int value,
      int unswitched) {}

  /**
   * Intervals between checks for cancellation, in elementary operations unless stated otherwise. A
   * cancelled call must stop within 100 ms.
   *
   * @param alone the interval of a loop without checking loops inside or around it: large enough
   *     for most chunks to have a single strip, whose loop over strips the JVM removes
   * @param innermost the interval of an innermost checking loop inside other loops: large enough
   *     for few rows to have several strips
   * @param around the interval of a loop around one checking loop, which may stop just before a
   *     check each time
   * @param outer the interval of a loop around two nested checking loops
   * @param outermost the interval of a loop around three or more nested checking loops
   * @param call the assumed cost of a call, whose loops may each stop just before a check
   * @param run the assumed cost of a copy or fill of unknown length
   * @param large the size of an iteration around a checking loop, in bytes of bytecode, from which
   *     a chunk's iterations check individually; HotSpot optimises less with one more loop level
   * @param atMost upper bounds on the costs of statements
   */
  public record Cancellation(
      long alone,
      long innermost,
      long around,
      long outer,
      long outermost,
      long call,
      long run,
      int large,
      AtMost atMost) {
    /**
     * Returns the interval of a loop around {@code nested} checking loops, each nested in the next.
     */
    public long operations(int nested) {
      return switch (nested) {
        case 0 -> innermost;
        case 1 -> around;
        case 2 -> outer;
        default -> outermost;
      };
    }
  }

  /**
   * Upper bounds on the costs of statements in elementary operations, for the interval between two
   * checks. {@link Operations} has the usual costs.
   *
   * @param function an expression that calls a library function
   * @param lock an acquisition and release of a lock
   * @param alloc an allocation of a cleared block
   * @param free a release of a block
   * @param pin a retention of a block
   * @param trace a print of a value
   * @param count a query of the chunk count or of a region's duration
   * @param launch a kernel launch
   * @param command any other command to a device
   */
  public record AtMost(
      int function,
      int lock,
      int alloc,
      int free,
      int pin,
      int trace,
      int count,
      int launch,
      int command) {}

  /**
   * Limits for copies of whole arrays.
   *
   * @param innerTile the elements of a transposition tile along the inner loop: whole cache lines
   * @param outerTile the elements of a transposition tile along the outer loop; both sides fit in
   *     the first-level cache
   * @param shortRow the constant row length in elements below which a loop copies a row, since a
   *     library call costs as much
   * @param few the maximum number of elements of an array that is filled element by element
   */
  public record Copies(int innerTile, int outerTile, int shortRow, int few) {}

  /**
   * Estimates for choices of array layouts.
   *
   * @param size the assumed number of iterations of a dimension or loop of unknown size
   * @param trips the assumed number of iterations of a while-loop
   * @param line the bytes of a cache line of a CPU
   * @param walks estimates for threads that each walk along adjacent elements
   * @param tiled the traffic of accesses along an outer dimension of a map, in percent of the
   *     traffic of neighbouring threads that access adjacent elements
   * @param interleaved the traffic of a CPU's inner loop if the next outer loop goes through
   *     adjacent elements, in percent likewise
   * @param copied the traffic of a copy in another layout, in percent of the array's size
   * @param gain the minimum gain of a choice, in percent of the traffic
   */
  public record Layouts(
      int size,
      int trips,
      int line,
      Walks walks,
      int tiled,
      int interleaved,
      int copied,
      int gain) {}

  /**
   * Estimates for threads that each walk along adjacent elements.
   *
   * @param reads the traffic of reads, in percent of the traffic of neighbouring threads that
   *     access adjacent elements; caches serve such threads only in part
   * @param writes the same for writes, which caches of GPU threads pass on
   * @param most the number of walks at a time, threads times arrays, that caches can serve; beyond
   *     it, each access transfers a sector
   */
  public record Walks(int reads, int writes, int most) {}

  /**
   * The division of parallel regions into chunks.
   *
   * @param chunks the maximum number of independent chunks per thread, enough for load balance
   * @param chunksOfUneven the maximum number of chunks per thread if iterations vary in cost; small
   *     chunks shorten the wait for the last one
   * @param chunksOfCopies the maximum number of chunks per thread for copies, which memory
   *     bandwidth limits
   * @param operationsForBin the minimum number of operations per histogram bin of all chunks, so
   *     that combining the bins costs little
   * @param chunksOfBins the maximum number of chunks per thread for combining histograms
   * @param apart the distance in elements between chunks' copies of a histogram, so that threads
   *     write to different cache lines, including the prefetched adjacent line
   * @param ownBins the maximum number of bins that a chunk holds in a block of its own; more do not
   *     stay in the first-level cache
   * @param outerSlack the excess cost, in percent, up to which one outer region is preferred to
   *     inner regions, each of which waits for its slowest thread
   * @param outerWait the maximum cost of such a wait in elementary operations
   * @param nestedStatements the maximum number of statements of a map that is emitted twice, with
   *     and without inner regions, to limit compile time
   * @param nestedLevels the maximum nesting of maps that are emitted twice; each level repeats the
   *     statements inside
   * @param nestedElements the minimum constant size of an inner operation that becomes a region
   * @param partsOfArrays the number of partial results of a reduction whose operator works on
   *     arrays; the program allocates them before it knows the thread count
   */
  public record Regions(
      int chunks,
      int chunksOfUneven,
      int chunksOfCopies,
      int operationsForBin,
      int chunksOfBins,
      int apart,
      int ownBins,
      int outerSlack,
      long outerWait,
      int nestedStatements,
      int nestedLevels,
      int nestedElements,
      int partsOfArrays) {}

  /**
   * The work of a GPU thread.
   *
   * @param bytes the bytes that a thread loads at a time; all threads of a multiprocessor together
   *     must have enough loads in flight to hide memory latency
   * @param iterations the maximum number of interleaved iterations; each needs registers
   * @param statements the maximum number of statements of all interleaved iterations
   * @param unrolled the maximum constant trip count of a loop whose iterations are all interleaved
   * @param blocks the minimum number of thread blocks that remain after giving threads more work:
   *     enough for all multiprocessors
   * @param progress true if a running thread block makes progress while other thread blocks wait
   *     for it, which single-pass scans require. CUDA guarantees it; OpenCL does not
   * @param shuffled the number of neighbouring threads that exchange values without shared memory,
   *     a power of two: a warp under CUDA; 1 for none
   * @param tiles the tiles of transpositions
   * @param onePass the limits of single-pass scans
   * @param bins the limits of histograms in device memory
   */
  public record Threads(
      int bytes,
      int iterations,
      int statements,
      int unrolled,
      long blocks,
      boolean progress,
      int shuffled,
      Tiles tiles,
      OnePass onePass,
      Bins bins) {
    private Threads with(boolean progress, int shuffled, Tiles tiles) {
      return new Threads(
          bytes,
          iterations,
          statements,
          unrolled,
          blocks,
          progress,
          shuffled,
          tiles,
          onePass,
          bins);
    }

    /** Returns these limits with another guarantee of progress. */
    public Threads withProgress(boolean progress) {
      return with(progress, shuffled, tiles);
    }

    /** Returns these limits with another number of threads that exchange values. */
    public Threads withShuffled(int shuffled) {
      if (Integer.bitCount(shuffled) != 1 || shuffled > 32) {
        throw new IllegalArgumentException(
            "the number of shuffled threads is " + shuffled + ", not a power of two up to 32");
      }
      return with(progress, shuffled, tiles);
    }

    /** Returns these limits with other tiles. */
    public Threads withTiles(Tiles tiles) {
      return with(progress, shuffled, tiles);
    }
  }

  /**
   * Limits of a single-pass scan, whose thread blocks wait for the prefixes of earlier ones. With
   * more elements per thread block, fewer thread blocks wait, but less of the cache remains beside
   * shared memory.
   *
   * @param most the maximum number of elements per thread; odd, so that threads use different banks
   * @param mostOfSegments the maximum number of elements per thread of a segmented scan; odd
   * @param bytes the approximate bytes of shared memory per thread for its elements
   * @param least the minimum number of elements per thread if they fit in {@code leastBytes}
   * @param leastBytes the bytes of shared memory per thread for {@code least} elements
   * @param residentBytes the maximum element size in bytes for which light scans are compiled with
   *     a register limit that fills a multiprocessor
   */
  public record OnePass(
      int most, int mostOfSegments, int bytes, int least, int leastBytes, int residentBytes) {
    public OnePass {
      if (most < 1 || bytes < 1) {
        throw new IllegalArgumentException(
            "the elements and bytes per thread must be positive, not " + most + " and " + bytes);
      }
    }

    /** Returns these limits with another maximum number of elements per thread. */
    public OnePass withMost(int most) {
      return new OnePass(most, mostOfSegments, bytes, least, leastBytes, residentBytes);
    }

    /**
     * Returns the number of elements per thread.
     *
     * @param each the bytes per element
     * @param segmented true for a segmented scan
     */
    public int elements(int each, boolean segmented) {
      int size = Math.max(1, each);
      int some = Math.min(most, Math.max(bytes / size, Math.min(least, leastBytes / size)));
      return segmented ? Math.min(some, mostOfSegments) : some;
    }
  }

  /**
   * Limits of histograms in device memory.
   *
   * @param bytes the approximate bytes of bins that one pass updates, which should stay in a cache
   * @param read the maximum bytes that all passes read per input element
   */
  public record Bins(long bytes, int read) {
    public Bins {
      if (bytes < 1) {
        throw new IllegalArgumentException("the bytes per pass must be positive, not " + bytes);
      }
    }
  }

  /**
   * Tiles of a matrix transposition through shared memory.
   *
   * @param side the side of a square tile in elements, a power of two
   * @param threads the threads that copy a tile, a multiple of the side
   * @param elements the minimum number of elements of a tiled map; fewer give too few tiles for all
   *     multiprocessors, and caches suffice
   */
  public record Tiles(int side, int threads, long elements) {
    public Tiles {
      if (Integer.bitCount(side) != 1 || threads % side != 0 || threads > side * side) {
        throw new IllegalArgumentException("tiles of " + side + " for " + threads + " threads");
      }
    }
  }

  /**
   * Limits of kernels.
   *
   * @param warp the threads that execute in step and should access neighbouring elements: 32 on
   *     NVIDIA devices, half of AMD's wavefronts
   * @param elementsForThread the elements of a long segment that justify a thread of its reduction
   * @param scanBytes the approximate bytes of shared memory per thread for its elements in a window
   *     of a two-pass scan or ordered reduction
   * @param scanElements the maximum number of elements per thread in such a window; odd, so that
   *     threads use different banks
   * @param sharedOfThread the bytes of shared memory per thread that thread blocks of 256 threads
   *     may use; larger needs lead to smaller thread blocks
   * @param scanStatements the maximum number of statements, at any depth, of a scan's body that is
   *     emitted twice; a longer body is emitted once, with a bounds test per element
   * @param locks the number of locks of accumulators in device memory: a prime, so that elements
   *     updated at the same time seldom share a lock
   * @param locksOfBlock the number of locks of accumulators in shared memory: the maximum number of
   *     threads per block, a power of two
   * @param blocks the maximum number of thread blocks of a kernel with one thread per index;
   *     threads of larger kernels iterate
   * @param moduleText the approximate characters of kernel source that are compiled together
   * @param functionText the characters from which a function is called instead of inlined, to limit
   *     compile time
   * @param operatorStatements the statements from which an operator is emitted as a function
   * @param partsOfThread the maximum number of partial results of a segment that a single thread
   *     combines
   * @param roundsOfPiece the elements per thread of a reduction in one contiguous chunk, before the
   *     thread block continues after the chunks of all others
   * @param roundsOfBlocks the maximum number of thread blocks, as a multiple of the grid, of a
   *     segmented or non-commutative reduction
   * @param roundsOfPart the minimum number of elements per thread in a chunk of a segment if there
   *     are more chunks than thread blocks: the elements that a thread loads at a time
   * @param resident the threads that a multiprocessor holds at a time if each has 32 registers
   * @param residentStatements the maximum number of statements of a reduction's body and operators
   *     for which 32 registers suffice
   * @param residentBytes the maximum bytes of a reduction's operands for which 32 registers suffice
   * @param memory the properties of memory
   * @param shortLoops the limits of unrolled loops in threads
   * @param recomputed the limits of recomputation
   */
  public record Kernels(
      int warp,
      int elementsForThread,
      int scanBytes,
      int scanElements,
      int sharedOfThread,
      int scanStatements,
      int locks,
      int locksOfBlock,
      long blocks,
      int moduleText,
      int functionText,
      int operatorStatements,
      int partsOfThread,
      int roundsOfPiece,
      int roundsOfBlocks,
      int roundsOfPart,
      int resident,
      int residentStatements,
      int residentBytes,
      DeviceMemory memory,
      ShortLoops shortLoops,
      Recomputed recomputed,
      DeviceHistograms histograms,
      TiledMaps tiledMaps,
      ShortSides shortSides,
      TransposedWords transposedWords,
      StagedRows stagedRows,
      BlockTiles blockTiles) {}

  /**
   * Memory sizes in bytes.
   *
   * @param access the maximum bytes of one access by a thread
   * @param sector the bytes that device memory transfers at once
   * @param ownOfThread the maximum bytes of private memory per thread; a device reserves private
   *     memory for all threads that it can run
   * @param restOfShared the bytes of shared memory that are reserved for tickets, flags and padding
   * @param window the maximum bytes of one array's window in shared memory, which leaves space for
   *     the thread block's other arrays
   */
  public record DeviceMemory(
      int access, int sector, int ownOfThread, int restOfShared, int window) {}

  /**
   * Limits of unrolled loops in threads. Values loaded by all iterations occupy registers at the
   * same time. A thread has at most 255 registers, and 32 to 64 if many threads are to hide
   * latencies.
   *
   * @param trips the trip count above which the kernel compiler does not unroll
   * @param loads the maximum number of loads of all iterations; each takes a register or two
   * @param versionedStatements the maximum number of statements of all iterations of a loop that is
   *     versioned
   * @param distributedStatements the maximum number of statements of all iterations of a loop whose
   *     loads are moved before its stores
   * @param loadsOfRound the maximum number of loads per round of a partially unrolled loop
   */
  public record ShortLoops(
      int trips, int loads, int versionedStatements, int distributedStatements, int loadsOfRound) {}

  /**
   * Limits for recomputing elements that an earlier kernel wrote, instead of reading them.
   *
   * @param operations the operations of a thread that cost as much as reading their result
   * @param operationsInBlock the operations of a thread in a thread block that cost as much as
   *     writing, synchronising and reading their result
   * @param division the cost of an f32 division in operations
   * @param elements the elements of a row that one read delivers
   */
  public record Recomputed(int operations, int operationsInBlock, int division, int elements) {}

  /**
   * Limits of histograms in shared memory.
   *
   * @param passBytes the maximum bytes that all passes read per input element
   * @param certainBytes the bytes of bins for which one pass suffices on any device: half of the
   *     shared memory that OpenCL guarantees
   * @param statements the maximum number of statements of a body that each pass evaluates
   * @param copies the maximum number of copies of a thread block's bins, which reduce conflicts of
   *     neighbouring threads
   * @param lockedCopies the maximum number of copies of bins that are updated under a lock: the
   *     threads per block, so that no thread waits
   * @param parts the number of bins of all thread blocks up to which a separate kernel combines the
   *     bins, instead of updates under locks
   * @param threads the threads per block if bins take much of the shared memory
   * @param blocks the number of smaller thread blocks that share a multiprocessor's shared memory
   * @param moreBlocks the factor by which more thread blocks are launched for bins in device
   *     memory, where the times of thread blocks vary
   */
  public record DeviceHistograms(
      int passBytes,
      int certainBytes,
      int statements,
      int copies,
      int lockedCopies,
      long parts,
      int threads,
      int blocks,
      int moreBlocks) {}

  /**
   * Tiles of maps that read along one dimension and write along another.
   *
   * @param width the elements of a tile in the dimension of the body's reads, a power of two
   * @param height the elements of a tile in the dimension of the results' writes, a power of two
   * @param threads the threads per block
   * @param least the minimum sizes of both dimensions, so that tiles are mostly full
   * @param statements the maximum number of statements of a body that is emitted twice, for full
   *     and for partial tiles
   */
  public record TiledMaps(int width, int height, int threads, int least, int statements) {}

  /**
   * Limits for transposing matrices with a short side.
   *
   * @param most the maximum number of elements of the short side, which one thread copies
   * @param threads the threads per block
   * @param small the maximum side of a matrix that is transposed without a tile
   */
  public record ShortSides(int most, int threads, int small) {}

  /**
   * Tiles for transposing matrices with elements of less than four bytes, several elements per
   * word.
   *
   * @param side the side of a square tile in words, a power of two: the threads of a warp
   * @param threads the threads per block, each with several words of a tile
   */
  public record TransposedWords(int side, int threads) {}

  /**
   * Limits for staging, in shared memory, the rows that individual threads traverse.
   *
   * @param least the minimum bytes of a staged row: two cache sectors
   * @param most the maximum bytes of shared memory per thread block
   * @param bank the bytes of a bank of shared memory, which serves one thread at a time
   * @param banks the bytes of all banks, a power of two
   */
  public record StagedRows(int least, int most, int bank, int banks) {}

  /**
   * Limits of matrix products and similar operations that compute one tile per thread block.
   *
   * @param depth the steps of the loop whose elements are fetched at once, a power of two
   * @param access the bytes of shared memory that a thread reads at once
   * @param registers the maximum registers for a thread's accumulators, fetched and read values
   * @param statements the maximum number of statements of all results of a thread, over as many
   *     steps as fit
   * @param sizes the tile sizes, largest first
   * @param row the tiles of a single row
   */
  public record BlockTiles(
      int depth, int access, int registers, int statements, List<TileSize> sizes, TileRow row) {
    public BlockTiles {
      if (Integer.bitCount(depth) != 1) {
        throw new IllegalArgumentException(depth + " steps");
      }
      sizes = List.copyOf(sizes);
    }
  }

  /**
   * The size of a tile.
   *
   * @param threads the threads per block, a power of two
   * @param resident the threads of a multiprocessor for which its registers must suffice
   * @param side the maximum rows, and columns, of a thread's results, a power of two
   * @param elements the minimum elements of a tiled result; fewer give too few tiles for all
   *     multiprocessors
   * @param least the minimum rows, and columns, of a tiled result, so that tiles are mostly full
   * @param steps the minimum trip count of the loop, which must outweigh the grouped stores of a
   *     thread's results
   */
  public record TileSize(int threads, int resident, int side, long elements, int least, int steps) {
    public TileSize {
      if (Integer.bitCount(threads) != 1 || Integer.bitCount(side) != 1) {
        throw new IllegalArgumentException("tiles of " + side + " for " + threads + " threads");
      }
    }

    /**
     * Returns this size for results of at least {@code elements} elements and any number of rows,
     * columns and steps.
     */
    public TileSize withElements(long elements) {
      return new TileSize(threads, resident, side, elements, 1, 0);
    }
  }

  /**
   * A tile of a single row: a thread has one result, and all threads of a thread block read the
   * same elements in a step.
   *
   * @param size the tile, with a result and a step for each thread
   * @param unrolled the unrolling factor of the loop over steps, a power of two
   * @param statements the maximum number of statements of a step per element that it reads; loads
   *     cost little in a longer step
   * @param bytes the maximum bytes of shared memory, so that enough thread blocks fit on a
   *     multiprocessor
   */
  public record TileRow(TileSize size, int unrolled, int statements, int bytes) {}

  /**
   * Limits of the host run-time system.
   *
   * @param chunkOperations the elementary operations that justify a chunk
   * @param cachedElements the elements of a scan's chunk that stay in the second-level cache
   *     between its two passes
   * @param sharingOperations the elementary operations equal to the overhead of one more thread in
   *     a region
   * @param smallestKept the size in bytes below which freed blocks are left to the garbage
   *     collector; equal to the run-time system's {@code Memory.SMALLEST_KEPT}
   */
  public record Host(
      long chunkOperations, long cachedElements, long sharingOperations, int smallestKept) {}

  /** Returns this target with other limits of GPU threads. */
  public Target withThreads(Threads threads) {
    return new Target(
        operations,
        accumulators,
        strips,
        jam,
        cacheTiles,
        methods,
        cancellation,
        copies,
        layouts,
        regions,
        threads,
        kernels,
        host);
  }

  /** A 64-bit processor with vector instructions, under HotSpot. */
  public static final Target CPU =
      new Target(
          new Operations(40, 15, 6, 40, 6, 2, 200, 100, 8, 20, 16, 8, 10),
          new Accumulators(4, 24, 6, 64, 2, 3),
          new StripLengths(1024, 16, 160, 32 << 10, 50, 30, 12),
          new Jam(2, 320, 48),
          new CacheTiles(
              1024,
              128,
              16,
              8,
              16,
              4,
              2,
              2,
              new LeastProduct(32, 64, 64, 1 << 19),
              new LeastProduct(128, 128, 64, 1 << 21)),
          new Methods(
              2000, 100, 16, 200, 80, 50_000, 20_000, 20, 200_000, 120, 64, 20_000, 32, 4, 400,
              2000),
          new Cancellation(
              1 << 24,
              1 << 20,
              1 << 26,
              1 << 26,
              1 << 26,
              1 << 22,
              1 << 14,
              1000,
              new AtMost(20, 50, 500, 200, 100, 10_000, 20, 1000, 100)),
          new Copies(64, 32, 16, 4),
          new Layouts(64, 16, 64, new Walks(200, 400, 264_000), 125, 110, 250, 15),
          new Regions(8, 32, 4, 2560, 2, 128, 1024, 25, 90_000, 3000, 6, 64, 64),
          new Threads(
              16,
              8,
              160,
              16,
              1024,
              false,
              1,
              new Tiles(64, 256, 1 << 19),
              new OnePass(31, 23, 124, 7, 224, 4),
              new Bins(32 << 20, 96)),
          new Kernels(
              32,
              16,
              120,
              15,
              175,
              40,
              100_151,
              1024,
              1L << 20,
              20_000,
              2000,
              24,
              8,
              32,
              8,
              8,
              2048,
              16,
              8,
              new DeviceMemory(8, 32, 8192, 4096, 16 << 10),
              new ShortLoops(32, 32, 400, 256, 24),
              new Recomputed(8, 12, 4, 4),
              new DeviceHistograms(32, 16 << 10, 16, 8, 256, 1 << 20, 1024, 8, 4),
              new TiledMaps(32, 64, 256, 16, 16),
              new ShortSides(16, 128, 8),
              new TransposedWords(32, 128),
              new StagedRows(64, 112 << 10, 4, 128),
              new BlockTiles(
                  8,
                  16,
                  104,
                  2048,
                  List.of(
                      new TileSize(128, 512, 8, 1 << 20, 64, 16),
                      new TileSize(256, 512, 4, 1 << 17, 64, 16)),
                  new TileRow(new TileSize(256, 0, 1, 256, 1024, 256), 8, 16, 16 << 10))),
          new Host(30_000, 32_768, 3_000, 4096));

  /** The CPU target with an NVIDIA GPU under CUDA. */
  public static final Target CUDA =
      CPU.withThreads(CPU.threads().withProgress(true).withShuffled(32));
}
