package futharkc.core.ir;

import java.util.List;

/**
 * The numbers that fit a machine: where a pass, lowering or a printer weighs one way of doing
 * something against another, or keeps within a limit, the number stands here, with where it comes
 * from. "Measured" means: on the kit's machine, two cores of an x86 server with AVX-512 and 2 MB of
 * second-level cache, under HotSpot of JDK 25, over the programs of {@code docs/benchmarks.md}.
 * Changing one of them changes how fast programs are, and never what they compute.
 *
 * @param operations what things cost
 * @param accumulators of {@code reassociate-reductions}
 * @param strips of {@code strip-mine} and {@code loop-distribution}
 * @param jam of {@code unroll-and-jam}
 * @param methods what the JVM compiles well, and at all
 * @param cancellation how often loops look whether the call has been cancelled
 * @param copies of whole arrays
 * @param regions how parallel regions are cut up
 * @param threads of GPUs
 * @param kernels what they are made of
 * @param host of the run time on a CPU: the defaults of an emitted program's tuning parameters
 */
public record Target(
    Operations operations,
    Accumulators accumulators,
    StripLengths strips,
    Jam jam,
    Methods methods,
    Cancellation cancellation,
    Copies copies,
    Regions regions,
    Threads threads,
    Kernels kernels,
    Host host) {

  /**
   * What things cost, in elementary operations: an addition of numbers in registers. From tables of
   * instruction latencies, rounded; good for comparing, not for predicting times.
   *
   * @param power a power or remainder of floats: a library call
   * @param division a division of integers, which has no vector form
   * @param floatDivision a division of floats
   * @param function a transcendental function
   * @param shortFunction a function of an instruction or a few
   * @param load an element of a block, from a near cache
   * @param call a call of a function, with what keeps the JVM from inlining it
   * @param block making or releasing a block, or printing
   * @param run starting to copy or fill a run of elements
   * @param lock a lock that nobody else has
   * @param unknownTrips how often a loop runs, if nothing is known
   * @param branch statements that are worth doing in vain for not having a branch
   * @param segment what a segment takes besides its elements: a loop begins and ends
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
   * When a reduction gets several accumulators.
   *
   * @param most accumulators of the reduction: what the loop holds has to fit in 16 registers
   * @param bodyStatements most statements that compute what is accumulated (likewise)
   * @param operatorStatements most statements of the operators (likewise)
   * @param shortRange a range of fewer elements is not worth setting up: measured
   * @param logParts logarithm of the number of parts: additions of floats take four cycles, and
   *     what else an iteration does takes one at least. With eight parts the array's address was
   *     not in a register any more: sums of 2,000,000 f32, i32 and i64 take 0.81, 0.53 and 0.48
   *     times as long with four
   * @param logPartsOfColumn of that for one accumulator where what is read has a stride: each read
   *     waits for memory, and more of them wait at a time (products of matrices of 2011 x 4011 and
   *     4011 x 1011 f32 take 0.75 times as long with eight)
   */
  public record Accumulators(
      int most,
      int bodyStatements,
      int operatorStatements,
      long shortRange,
      int logParts,
      int logPartsOfColumn) {}

  /**
   * Loops that are run strip by strip.
   *
   * @param longest most iterations of a strip: the JVM runs the first and last ones of a loop one
   *     by one, which is a small part of as many
   * @param fewest fewer iterations are not worth it: vectors are of up to 16 floats
   * @param bytes how much expanded scalars may take: the first-level cache of common processors
   * @param operationsBehind operations behind the while-loops of an iteration from which on they
   *     are split off: measured, Mandelbrot sets
   * @param operationsBefore likewise, before these loops, which then wait for these alone
   * @param scalars most scalars between the parts: each costs a store and a load in an iteration
   */
  public record StripLengths(
      int longest,
      int fewest,
      int bytes,
      long operationsBehind,
      long operationsBefore,
      int scalars) {}

  /**
   * How iterations are run side by side.
   *
   * @param logWidth logarithm of how many: floating-point additions take four cycles
   * @param statements most statements of an iteration: four of them stay far below what HotSpot
   *     compiles
   * @param innerStatements most statements of an inner loop: what four of them hold has to fit in
   *     registers, or nearly so
   */
  public record Jam(int logWidth, int statements, int innerStatements) {
    /** How many iterations run side by side. */
    public int width() {
      return 1 << logWidth;
    }
  }

  /**
   * Sizes of methods and classes, in bytes of bytecode as estimated from above. HotSpot optimises a
   * method as a whole, in time that grows faster than its size, and refuses those above 8000 bytes.
   *
   * @param large of a method that needs no loops taken out: measured, srad's map, of 1900, and a
   *     ray tracer's, of 1700, took 1.2 and 1.1 times as long with a loop taken out
   * @param loop of a loop that is not worth a call of its own
   * @param fewTrips iterations of a loop that is not worth a call
   * @param rest of other code beside a loop from which on it is taken out
   * @param call of a call
   * @param limit a method that is larger is split: the class file format allows 65,535
   * @param part what a method gets when code is split
   * @param partsPerClass methods in the class of a split one
   * @param classSize characters of source from which on another class is begun: the format allows
   *     65,535 constants in one
   * @param arguments most parameters: the format allows 255, and longs count twice
   * @param smallArray constant arrays up to that length are initialisers, others text
   * @param literal characters of a string literal: the format allows 65,535 bytes, three for a
   *     character at worst
   * @param cases a choice among more cases is made by number, since {@code javac} and HotSpot do
   *     badly on deep nests
   * @param leaf cases that are tested one after the other where others are reached by halving
   * @param value what it takes to add a value to a list
   * @param unswitched of all versions of an innermost loop that is unswitched: those of a stencil
   *     of seven points have 1782, and gain by it; a method with them keeps its loops
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
   * How often loops look whether the call has been cancelled, which is to be noticed within 100 ms.
   *
   * @param alone operations between two looks of a loop that has no loop inside which looks, nor
   *     any around it: so many that most chunks have but one strip, which the JVM compiles as if
   *     there were no loop over strips
   * @param innermost those of a loop that has none inside, but others around it: few enough not to
   *     take long, and so many that few rows have several strips: measured, strips of 1 &lt;&lt; 16
   *     took 1.1 times as long
   * @param around those of a loop around one that looks, which may stop just short of a look each
   *     time: 64 rows of a scan of rows of 10, where 16 took 1.15 times as long
   * @param outer those of a loop around two
   * @param outermost those of a loop around more
   * @param call operations of a call, which may hold loops that each stop just short of a look
   * @param run those of a run of elements of unknown length
   * @param large bytes of an iteration around a loop that looks from which on a chunk's iterations
   *     look one by one: HotSpot optimises less inside of one loop more. Measured: the steps of a
   *     solver, of more than 1000 bytes, took 1.7 times as long in strips
   * @param atMost what other statements take
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
    /** Operations between two looks of a loop around so many, each around the next, that look. */
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
   * What statements take, in elementary operations, of which a loop must not do more between two
   * looks than it thinks: bounds, where {@link Operations} has what is usual.
   *
   * @param function an expression that calls a function of the library
   * @param lock to get a lock, and to release it
   * @param alloc a block that has to be made, and cleared
   * @param free to release a block
   * @param pin to keep one
   * @param trace to print a value
   * @param count how many chunks there are, or how long a region takes
   * @param launch of a kernel
   * @param command to a device, other than that
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
   * Copies of whole arrays.
   *
   * @param innerTile elements of the inner loop in a tile of a transposition: whole cache lines
   * @param outerTile of the outer loop: both sides stay in the first-level cache
   * @param shortRow rows shorter than this constant are copied by a loop: a call of the library
   *     costs as much
   * @param few elements of an array that is filled with a value one by one
   */
  public record Copies(int innerTile, int outerTile, int shortRow, int few) {}

  /**
   * How parallel regions are cut up.
   *
   * @param chunks most chunks of a thread where they are independent: enough for balance
   * @param chunksOfUneven where iterations may take unlike long: what the last chunk takes longer
   *     than others is little then. On 16 threads mandelbrot takes 0.84 times as long as with 8,
   *     and queries of a kd-tree 0.87
   * @param chunksOfCopies of copies, which the memory's bandwidth limits
   * @param operationsForBin how many operations there have to be for each bin of all chunks: what
   *     it takes to combine them is little then
   * @param chunksOfBins of the combination of histograms
   * @param apart elements between copies of a histogram's bins, so that threads write to different
   *     cache lines: the adjacent line is prefetched as well
   * @param ownBins up to so many bins, a chunk has them in a block of its own: measured, 256 bins
   *     took 0.65 times as long, and 1000 by an operator whose order counts 0.92; more do not stay
   *     in the first-level cache
   * @param outerSlack by how many percent one region around may take longer than regions inside, by
   *     what is counted, to be chosen: each region inside waits for its slowest thread. Measured
   *     with lud, 17 to 47 rows of blocks on 4 threads: 1.27 times as long with 0
   * @param outerWait what such a wait takes at most, in operations: about 30 µs. Measured with
   *     tpacf, ten iterations on 4 threads with regions of 10 ms inside: 1.2 times as long if one
   *     region around them was chosen
   * @param nestedStatements of a map, at most, that stands in the program twice, with regions
   *     inside and without: more take long to compile
   * @param nestedElements an operation inside, of a constant size, has at least to be a region
   * @param partsOfArrays parts of a reduction whose operator works on arrays, which are made before
   *     it is known how many threads there are: enough for those of most machines
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
      int nestedElements,
      int partsOfArrays) {}

  /**
   * What a thread of a GPU does. Measured on an H200: an f32 map of 2^28 elements takes 803 µs with
   * one element for each thread, 575 with two, 514 with four.
   *
   * @param bytes that a thread waits for at a time: all threads of a multiprocessor together have
   *     to have enough under way to hide the memory's latency
   * @param iterations that run side by side, at most: each needs registers
   * @param statements of these iterations together, at most (likewise)
   * @param unrolled most iterations of a loop of known length that all run side by side
   * @param blocks no fewer thread blocks than that are launched for the sake of it: enough for all
   *     multiprocessors
   * @param progress whether a thread block that has begun goes on while others wait for it: then
   *     scans go over their elements once. CUDA's do; OpenCL promises nothing
   * @param shuffled how many neighbouring threads can look at each other's values without shared
   *     memory, a power of two: those of a warp under CUDA; 1: none
   * @param tiles of transposes
   * @param onePass of scans that go over their elements once
   * @param bins of histograms in device memory
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
    private Threads with(boolean progress, int shuffled, Tiles tiles, OnePass onePass, Bins bins) {
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

    /** The same, but for the progress of thread blocks. */
    public Threads withProgress(boolean progress) {
      return with(progress, shuffled, tiles, onePass, bins);
    }

    /** The same, but for threads that look at each other's values. */
    public Threads withShuffled(int shuffled) {
      if (Integer.bitCount(shuffled) != 1 || shuffled > 32) {
        throw new IllegalArgumentException("shuffles of " + shuffled + " threads");
      }
      return with(progress, shuffled, tiles, onePass, bins);
    }

    /** The same, but for tiles. */
    public Threads withTiles(Tiles tiles) {
      return with(progress, shuffled, tiles, onePass, bins);
    }

    /** The same, but for histograms in device memory. */
    public Threads withBins(Bins bins) {
      return with(progress, shuffled, tiles, onePass, bins);
    }

    /** The same, but for scans in one pass. */
    public Threads withOnePass(OnePass onePass) {
      return with(progress, shuffled, tiles, onePass, bins);
    }
  }

  /**
   * Of a scan in one pass, whose blocks wait for what those before come to: the more elements a
   * block has, the fewer have to wait. By hand, with 15 elements of 4 bytes a thread 2^28 take 817
   * µs on an H200, with 23 720, with 31 711. Four i64 (2^26) take 2034 with three, 1363 with seven;
   * a filter of f32, whose body reads again what it has read, 1154 with 15 elements of 8 bytes, and
   * 1612 with 27: shared memory leaves less of a cache.
   *
   * @param most elements of a thread, at most: odd, so that threads use different banks
   * @param mostOfSegments likewise, where there are segments: by hand ten million of ten numbers
   *     take 205 µs with 23, 243 with 31, ten thousand of ten thousand 269 and 264
   * @param bytes of shared memory for these, about
   * @param least elements, all the same, if they need no more than {@code leastBytes}
   * @param leastBytes of shared memory for these
   * @param residentBytes of an element, at most, for which light scans are compiled for as many
   *     threads as a multiprocessor holds: scans of rows have 63 registers otherwise
   */
  public record OnePass(
      int most, int mostOfSegments, int bytes, int least, int leastBytes, int residentBytes) {
    public OnePass {
      if (most < 1 || bytes < 1) throw new IllegalArgumentException(most + " elements of a thread");
    }

    /** Elements of a thread, of so many bytes each, perhaps in segments. */
    public int elements(int each, boolean segmented) {
      int size = Math.max(1, each);
      int some = Math.min(most, Math.max(bytes / size, Math.min(least, leastBytes / size)));
      return segmented ? Math.min(some, mostOfSegments) : some;
    }
  }

  /**
   * Of histograms in device memory. By hand, on an H200, 10^8 updates of as many bins of 4 bytes
   * take 5871 µs in one pass, 3673 in eight, 3134 in twelve, 3164 in sixteen and 4373 in 32.
   *
   * @param bytes of the bins that a pass updates, about: as many as stay in a cache
   * @param read bytes that all passes read for each input, at most
   */
  public record Bins(long bytes, int read) {
    public Bins {
      if (bytes < 1) throw new IllegalArgumentException("passes of " + bytes + " bytes");
    }
  }

  /**
   * Of a matrix that is transposed through shared memory.
   *
   * @param side of a square tile, a power of two
   * @param threads that copy one, a multiple of the side
   * @param elements of a map that goes by tiles, at least: with fewer, there are not enough tiles
   *     for all multiprocessors, and caches help
   */
  public record Tiles(int side, int threads, long elements) {
    public Tiles {
      if (Integer.bitCount(side) != 1 || threads % side != 0 || threads > side * side) {
        throw new IllegalArgumentException("tiles of " + side + " for " + threads + " threads");
      }
    }
  }

  /**
   * What kernels are made of. Measured on an H100 and an H200, unless it says otherwise.
   *
   * @param warp threads that run in step, of which neighbours had better access neighbours: 32 on
   *     NVIDIA's devices, and half of what AMD's have
   * @param elementsForThread elements of a long segment that are worth a thread of its reduction
   * @param scanBytes of shared memory, about, for the elements of a thread in a window of a scan in
   *     two passes, or of an ordered reduction: blocks of 256 threads leave room for others on a
   *     multiprocessor
   * @param scanElements of a thread in such a window, at most: odd, so that threads use different
   *     banks
   * @param sharedOfThread bytes of shared memory with which blocks of 256 threads get along:
   *     NVIDIA's OpenCL has 48 KiB. Where threads of reductions and scans need more, blocks are
   *     smaller
   * @param scanStatements a body of a scan of more stands in its kernel only once, with a test of
   *     each element's index
   * @param locks of accumulators in device memory: a prime number, so that few of the elements that
   *     are updated at a time have one in common
   * @param locksOfBlock of those in shared memory, which is small: as many as a block may have
   *     threads, a power of two
   * @param blocks of a kernel that needs one thread for each index, at most: with more to do, its
   *     threads have loops
   * @param moduleText characters of kernels' source that are compiled together, about: NVRTC takes
   *     some 100 ms for as many, and no other processor helps
   * @param functionText characters of a function that is called and not copied to where it is: its
   *     copies would take long to compile
   * @param operatorStatements of an operator that is a function
   * @param partsOfThread parts of a segment of a reduction that one thread combines, at most: a
   *     block for each of 10,000 segments takes 51 µs, a thread 6
   * @param roundsOfPiece elements of a thread of a reduction in one piece of memory, before its
   *     block goes on behind the pieces of all others: sums of 2^28 elements took 365 µs in 16384
   *     pieces of 64 KiB, and 390 in 1056 pieces
   * @param roundsOfBlocks blocks of a reduction of segments, or by operators that do not commute,
   *     at most, for each that the grid has: with as many as the grid a quarter of them came when
   *     the others were done, and ten segments of 40 MB took 224 µs, 10,000 of 40 KB 232, 2^26
   *     products 444; now 162, 171 and 427 (with three times the grid, products 447)
   * @param roundsOfPart elements of a thread in a part of a segment, at least, where there are more
   *     parts than blocks of the grid: as many as it loads at a time. A segment of 2^20 numbers in
   *     4096 parts took 14 µs, and combining these 3
   * @param resident threads that a multiprocessor holds at a time if each has 32 registers: sums of
   *     2^28 numbers took 375 µs so, and 420 with 36 registers, as a quarter of the blocks came
   *     when the others were done
   * @param residentStatements of a reduction's body and operators that 32 registers suffice for
   * @param residentBytes of what is combined that they suffice for
   * @param memory of threads, their blocks, and the device
   * @param shortLoops loops of threads that are unrolled
   * @param recomputed what is computed again rather than read
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
   * Of memory, in bytes.
   *
   * @param access of a thread, at once
   * @param sector of device memory, which is read at once
   * @param ownOfThread that a thread may have: a device reserves as many for all threads that it
   *     can run
   * @param restOfShared shared memory that is left for tickets, flags, and what lies between arrays
   * @param window of an array in shared memory, at most: other arrays of the block need some, too
   */
  public record DeviceMemory(
      int access, int sector, int ownOfThread, int restOfShared, int window) {}

  /**
   * Of loops in threads that are unrolled. What all iterations load is in registers at a time: a
   * thread has 255 at most, and 32 to 64 where many threads are to hide latencies.
   *
   * @param trips more iterations are not unrolled by the compiler of kernels
   * @param loads of all iterations together, at most: each takes a register, or two
   * @param versionedStatements of all iterations of a loop that gets another version, at most
   * @param distributedStatements of all iterations of a loop that loads before it stores, at most
   * @param loadsOfRound of the iterations of a round of a loop that is unrolled in rounds, at most
   */
  public record ShortLoops(
      int trips, int loads, int versionedStatements, int distributedStatements, int loadsOfRound) {}

  /**
   * Of elements that a kernel has written and a later one computes again.
   *
   * @param operations of a thread that take about as long as to read what they give
   * @param operationsInBlock likewise, of a thread of a block, where threads would write down, wait
   *     for each other, and read
   * @param division how many of them a division of two f32 counts for
   * @param elements of a row that is read at once, whichever of them is wanted
   */
  public record Recomputed(int operations, int operationsInBlock, int division, int elements) {}

  /**
   * Of histograms in the shared memory of a GPU.
   *
   * @param passBytes bytes that all passes over an input read for each of its elements, at most: on
   *     an H100, 2^28 updates of bins in device memory take 3.1 to 3.9 ms, and each pass over 1 GiB
   *     takes 0.35 ms
   * @param certainBytes of bins for which one pass suffices on any device: OpenCL promises 32 KiB
   *     of shared memory, of which half are used
   * @param statements of a body that is evaluated in each pass, at most
   * @param copies of a block's bins, at most, so that neighbouring threads meet in fewer bins: 256
   *     bins took 384 µs with 8, and 426 without them and passes
   * @param lockedCopies likewise, of bins that are updated under a lock: as many as a block has
   *     threads, which do not wait for each other then
   * @param parts bins of all blocks, at most, that are combined by a kernel of its own where others
   *     would take a lock for each
   * @param threads of a block whose bins take much of the shared memory, so that there are enough
   * @param blocks of fewer threads that run on a multiprocessor at a time, and share its memory
   * @param moreBlocks how many times as many blocks update bins in device memory, which take unlike
   *     long where updates meet: on an H200, 2^26 compare-and-set updates of 2^22 bins took 1876 µs
   *     with four times as many for 2086, and 1870 with sixteen times; 10^8 atomic additions to as
   *     many bins 3096 for 3163
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
   * Of maps that read along one dimension and write along another.
   *
   * @param width of a tile, in the dimension in which the body reads, a power of two
   * @param height in that in which results are stored, a power of two: 64 elements of a byte are a
   *     transaction. By hand, 32 x 64 is the best of four on an H100
   * @param threads of a block
   * @param least sizes from which on a tile is mostly full
   * @param statements of a body that stands in a kernel twice, at most: for tiles that are whole,
   *     and for others
   */
  public record TiledMaps(int width, int height, int threads, int least, int statements) {}

  /**
   * Of matrices that are transposed and have a short side.
   *
   * @param most elements of the short side, and of a thread
   * @param threads of a block
   * @param small matrices of which neither side is longer are not worth a tile
   */
  public record ShortSides(int most, int threads, int small) {}

  /**
   * Of matrices of elements of less than four bytes that are transposed, several at once.
   *
   * @param side of a square tile, in words, a power of two: that many threads run in step
   * @param threads of a block, each with several words of a tile
   */
  public record TransposedWords(int side, int threads) {}

  /**
   * Of rows that a thread goes through, and that its block fetches before.
   *
   * @param least rows of fewer bytes stay where they are, two sectors of the cache: products of
   *     rows of 10, 12, 14, 16, 20 and 32 numbers of 32 bits, 10^8 in all, take 169, 161, 164, 215,
   *     170 and 396 µs so on an H100, and 190, 167, 173, 153, 154 and 155 staged
   * @param most bytes for a thread block, if it may have as many: with two blocks of 256 threads on
   *     a multiprocessor rows of 100 take 213 µs, and 273 where they are; rows of 64 415 and 176
   * @param bank bytes of a bank of shared memory, of which one thread at a time can read
   * @param banks bytes of all of them, side by side, a power of two
   */
  public record StagedRows(int least, int most, int bank, int banks) {}

  /**
   * Of matrix products and their kin, of which a thread block computes a tile. On an H100 a product
   * of 4096 x 4096 numbers of 32 bits takes 3346 µs with 128 threads of 8 x 8 results and steps by
   * eight, 3388 with 256 threads, 3721 with steps by sixteen, 5085 with 4 x 4 results of 256
   * threads, and 29,693 without tiles.
   *
   * @param depth steps of the loop for which elements are fetched at once, a power of two
   * @param access bytes of shared memory that a thread reads at once
   * @param registers of what a thread accumulates, fetches and reads, at most
   * @param statements of all results of a thread together, at most; of several steps, if as many
   *     fit
   * @param sizes of tiles, the largest first
   * @param row of tiles of one row
   */
  public record BlockTiles(
      int depth, int access, int registers, int statements, List<TileSize> sizes, TileRow row) {
    public BlockTiles {
      if (Integer.bitCount(depth) != 1) throw new IllegalArgumentException(depth + " steps");
      sizes = List.copyOf(sizes);
    }
  }

  /**
   * Of a tile. On an H100 a product of 1024 x 1024 numbers takes 78.8 µs with the large tiles, 83.7
   * with the small ones, and 397 without; of 512 x 512 43.6, 30.6 and 51.7; of 256 x 256 27.8, 18.6
   * and 15.6.
   *
   * @param threads of a block, a power of two
   * @param resident threads of a multiprocessor, whose registers have to suffice for them
   * @param side most rows, and columns, of a thread's results, a power of two
   * @param elements of a result that is tiled, at least: with fewer there are not enough tiles for
   *     all multiprocessors
   * @param least rows, and columns, from which on a tile is mostly full: lud's blocks of 32 x 32
   *     took 1.1 to 1.2 of the time in tiles of 64 x 64
   * @param steps of the loop, at least: a thread's results lie in groups of a few, which take
   *     longer to store (of 4096 x 4096 results of 64 steps, 128 µs, about 70)
   */
  public record TileSize(int threads, int resident, int side, long elements, int least, int steps) {
    public TileSize {
      if (Integer.bitCount(threads) != 1 || Integer.bitCount(side) != 1) {
        throw new IllegalArgumentException("tiles of " + side + " for " + threads + " threads");
      }
    }

    /** The same, for results of so many elements, however few rows, columns and steps. */
    public TileSize withElements(long elements) {
      return new TileSize(threads, resident, side, elements, 1, 0);
    }
  }

  /**
   * Of a tile of one row, where a thread has one result, and all threads of a block read the same
   * elements in a step. On an H200 nbody takes 14.1 ms, and 18.0 without tiles; with four steps
   * unrolled 14.4, with 16 14.3, with 32 14.0. Where the elements of a step are next to each other
   * in shared memory it takes 14.4, so with 128 threads 15.0, with 512 17.2.
   *
   * @param size of the tile, with a result and a step for each thread
   * @param unrolled steps that follow each other in the code, a power of two
   * @param statements of a step for each element that it reads, at most: loads are little of what
   *     takes time in a longer one
   * @param bytes of shared memory, at most, so that there is enough for as many blocks as a
   *     multiprocessor has threads for
   */
  public record TileRow(TileSize size, int unrolled, int statements, int bytes) {}

  /**
   * Of the run time.
   *
   * @param chunkOperations elementary operations that are worth a chunk of their own: about 10 µs
   * @param cachedElements elements that stay in the second-level cache while a chunk of a scan is
   *     passed over twice
   * @param sharingOperations elementary operations in the time that a region takes longer for each
   *     thread that helps: about 1 µs, for two to 16 threads
   * @param smallestKept blocks of fewer bytes are left to the garbage collector, as {@code
   *     Memory.SMALLEST_KEPT} of the run time says
   */
  public record Host(
      long chunkOperations, long cachedElements, long sharingOperations, int smallestKept) {}

  /** The same, but for threads of GPUs. */
  public Target withThreads(Threads threads) {
    return new Target(
        operations,
        accumulators,
        strips,
        jam,
        methods,
        cancellation,
        copies,
        regions,
        threads,
        kernels,
        host);
  }

  /** A processor of 64 bits with vectors, and HotSpot. */
  public static final Target CPU =
      new Target(
          new Operations(40, 15, 6, 40, 6, 2, 200, 100, 8, 20, 16, 8, 10),
          new Accumulators(4, 24, 6, 64, 2, 3),
          new StripLengths(1024, 16, 32 << 10, 50, 30, 12),
          new Jam(2, 320, 48),
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
          new Regions(8, 32, 4, 2560, 2, 128, 1024, 25, 90_000, 3000, 64, 64),
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
              16,
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

  /** The same with one of NVIDIA's GPUs under CUDA. */
  public static final Target CUDA =
      CPU.withThreads(CPU.threads().withProgress(true).withShuffled(32));
}
