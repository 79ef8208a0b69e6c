package futharkc.backend.interpreter;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.Type;
import futharkc.core.runtime.DeviceActivity;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The state of the simulated GPU. It counts launches, reads, writes and copies, and identifies the
 * running thread, so that races between threads can be detected. Code of one thread between two
 * barriers is a strand; strand 0 is host code.
 */
final class DeviceState {
  private final boolean explicit;
  private final boolean watched;
  private final boolean tagged;
  private final @Nullable BlockUsage uses;
  private long launches;
  private long reads;
  private long elements;
  private long bytesRead;
  private long writes;
  private long bytesWritten;
  private long copies;
  private int depth;

  private int strands = 1;
  private int current;
  private int launch;
  private int block;
  private int epoch;
  private boolean atomic;
  private int[] launchOf = new int[64];
  private int[] blockOf = new int[64];
  private int[] epochOf = new int[64];

  DeviceState(Options options) {
    this.explicit = options.explicitReads();
    this.watched = options.watched();
    this.tagged = options.tagged();
    this.uses = options.uses();
  }

  DeviceActivity activity() {
    return new DeviceActivity(
        launches, reads, elements, reads, writes, copies, bytesRead, bytesWritten);
  }

  /** Tests whether stores check for races between threads. */
  boolean isWatched() {
    return watched;
  }

  /** Tests whether arrays check that no other array overwrites them while they are live. */
  boolean isTagged() {
    return tagged;
  }

  /** Returns the record of block uses; null if the run does not need one. */
  @Nullable BlockUsage uses() {
    return uses;
  }

  /**
   * Returns code that counts a device operation whenever host code executes it. Code inside kernels
   * is not counted.
   *
   * @param result the type of the operation's result
   */
  Instruction counting(BasicOp op, Type result, Instruction code) {
    Runnable count =
        switch (op) {
          case BasicOp.Index x when result instanceof Type.Prim p -> () -> silentRead(x, p.prim());
          case BasicOp.Update x when x.slice().isElement() ->
              () -> written(1, result.elemPrim().bytes());
          case BasicOp.Update x -> () -> copies++;
          case BasicOp.FlatUpdate x -> () -> copies++;
          case BasicOp.Concat x -> () -> copies++;
          case BasicOp.Manifest x -> () -> copies++;
          case BasicOp.Replicate x when x.shape().isEmpty() -> () -> copies++;
          case BasicOp.Replicate x -> () -> launches++;
          case BasicOp.Iota x -> () -> launches++;
          case BasicOp.ArrayVal x -> () -> written(1, (long) x.elem().bytes() * x.values().size());
          case BasicOp.ArrayLit x when x.row() instanceof Type.Prim p ->
              () -> written(x.elems().size(), p.prim().bytes());
          case BasicOp.ArrayLit x -> () -> copies += x.elems().size();
          default -> null;
        };
    if (count == null) {
      return code;
    }
    return f -> {
      if (depth == 0) {
        count.run();
      }
      code.run(f);
    };
  }

  private void written(long operations, long bytes) {
    writes += operations;
    bytesWritten += operations * bytes;
  }

  private void silentRead(BasicOp.Index x, PrimType elem) {
    if (explicit) {
      throw new Fault("host code uses an element of " + x.array() + " without reading it");
    }
    read(1, elem.bytes());
  }

  /**
   * Counts one wait of host code for elements.
   *
   * @param count the number of elements
   * @param bytes the number of bytes of all elements
   */
  void read(int count, long bytes) {
    reads++;
    elements += count;
    bytesRead += bytes;
  }

  // Strands

  /** Runs a kernel, or an operation of the threads of one block. */
  void launch(SegLevel level, Runnable kernel) {
    boolean inBlock = level instanceof SegLevel.ThreadInBlock;
    if (level instanceof SegLevel.Cores || depth > 0 && !inBlock) {
      kernel.run();
      return;
    }
    depth++;
    if (inBlock) {
      epoch++;
    } else {
      launches++;
      launch++;
    }
    int outer = current;
    try {
      kernel.run();
    } finally {
      depth--;
      current = outer;
      if (inBlock) {
        nextStrand();
      }
    }
  }

  /** Starts the strand of the next thread or thread block of a kernel. */
  void next(SegLevel level) {
    if (!watched || level instanceof SegLevel.Cores) {
      return;
    }
    if (!(level instanceof SegLevel.ThreadInBlock)) {
      block++;
    }
    current = newStrand();
  }

  /**
   * Starts the next strand of a thread that handles several indices, one after the other.
   *
   * @param thread the number of the thread
   */
  void next(long thread) {
    if (!watched) {
      return;
    }
    block = -1 - (int) thread;
    epoch++;
    current = newStrand();
  }

  /** Starts a new strand after a barrier. */
  private void nextStrand() {
    epoch++;
    if (watched) {
      current = newStrand();
    }
  }

  private int newStrand() {
    int s = strands++;
    if (s == launchOf.length) {
      launchOf = Arrays.copyOf(launchOf, 2 * s);
      blockOf = Arrays.copyOf(blockOf, 2 * s);
      epochOf = Arrays.copyOf(epochOf, 2 * s);
    }
    launchOf[s] = launch;
    blockOf[s] = block;
    epochOf[s] = epoch;
    return s;
  }

  int strand() {
    return current;
  }

  /** Tests whether no synchronisation orders two strands. */
  boolean areUnordered(int a, int b) {
    return a != b
        && a != 0
        && b != 0
        && launchOf[a] == launchOf[b]
        && (blockOf[a] != blockOf[b] || epochOf[a] == epochOf[b]);
  }

  /** Runs an update without interruption by other threads. */
  void atomically(Runnable update) {
    boolean before = atomic;
    atomic = true;
    update.run();
    atomic = before;
  }

  boolean isAtomic() {
    return atomic;
  }
}
