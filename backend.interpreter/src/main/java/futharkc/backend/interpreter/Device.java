package futharkc.backend.interpreter;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.SegLevel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The device that a program for a GPU runs on: counts what it is used for, and knows which thread
 * runs, so that accesses of different threads can be told apart. What runs between two barriers of
 * a block, or by itself, is a strand; host code is the strand 0.
 */
final class Device {
  private final boolean explicit;
  private final boolean watched;
  private final boolean tagged;
  private final @Nullable BlockUses uses;
  private long launches;
  private long reads;
  private long writes;
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

  Device(Options options) {
    this.explicit = options.explicitReads();
    this.watched = options.watched();
    this.tagged = options.tagged();
    this.uses = options.uses();
  }

  DeviceActivity activity() {
    return new DeviceActivity(launches, reads, writes, copies);
  }

  /** Whether stores are to know who accesses them. */
  boolean isWatched() {
    return watched;
  }

  /** Whether arrays are to know whether others were put over them. */
  boolean isTagged() {
    return tagged;
  }

  /** Is to know when blocks are used. */
  @Nullable BlockUses uses() {
    return uses;
  }

  /** Something that host code does, or code that may run elsewhere, too, with what it costs. */
  Instruction counting(BasicOp op, boolean scalar, Instruction code) {
    Runnable count =
        switch (op) {
          case BasicOp.Index x when scalar -> () -> silentRead(x);
          case BasicOp.Update x when x.slice().isElement() -> () -> writes++;
          case BasicOp.Update x -> () -> copies++;
          case BasicOp.FlatUpdate x -> () -> copies++;
          case BasicOp.Concat x -> () -> copies++;
          case BasicOp.Manifest x -> () -> copies++;
          case BasicOp.Replicate x when x.shape().isEmpty() -> () -> copies++;
          case BasicOp.Replicate x -> () -> launches++;
          case BasicOp.Iota x -> () -> launches++;
          case BasicOp.ArrayVal x -> () -> writes++;
          case BasicOp.ArrayLit x -> () -> writes += x.elems().size();
          default -> null;
        };
    if (count == null) return code;
    return f -> {
      if (depth == 0) count.run();
      code.run(f);
    };
  }

  private void silentRead(BasicOp.Index x) {
    if (explicit) throw new Fault("host code uses an element of " + x.array() + " unread");
    reads++;
  }

  /** Host code reads elements at once. */
  void read() {
    reads++;
  }

  // Threads

  /** Runs a kernel. */
  void launch(SegLevel level, Runnable kernel) {
    boolean inBlock = level instanceof SegLevel.ThreadInBlock;
    if (level instanceof SegLevel.Cores || depth > 0 && !inBlock) {
      kernel.run();
      return;
    }
    depth++;
    if (inBlock) epoch++;
    else {
      launches++;
      launch++;
    }
    int outer = current;
    try {
      kernel.run();
    } finally {
      depth--;
      current = outer;
      if (inBlock) nextStrand();
    }
  }

  /** The body of a kernel begins at another index. */
  void next(SegLevel level) {
    if (!watched || level instanceof SegLevel.Cores) return;
    if (!(level instanceof SegLevel.ThreadInBlock)) block++;
    current = newStrand();
  }

  /**
   * As well, in the thread of a kernel that has this number, which has run it for others before.
   */
  void next(long thread) {
    if (!watched) return;
    block = -1 - (int) thread;
    epoch++;
    current = newStrand();
  }

  /** After a barrier. */
  private void nextStrand() {
    epoch++;
    if (watched) current = newStrand();
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

  /** Whether nothing says which of two strands comes first. */
  boolean areUnordered(int a, int b) {
    return a != b
        && a != 0
        && b != 0
        && launchOf[a] == launchOf[b]
        && (blockOf[a] != blockOf[b] || epochOf[a] == epochOf[b]);
  }

  /** Runs what other threads cannot come between. */
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
