package futharkc.integration.partitions;

import futharkc.core.runtime.FutharkError;

/** The failure of a job in one partition. */
public final class PartitionException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String program;
  private final String entry;
  private final int partition;
  private final long chunk;
  private final String backtrace;
  private final boolean retryable;

  /**
   * Creates a failure.
   *
   * @param program the name of the program
   * @param entry the name of the entry point
   * @param partition the number of the partition; -1 for joins of partitions
   * @param chunk the number of the chunk in its partition; -1 for joins
   * @param cause the error
   */
  public PartitionException(
      String program, String entry, int partition, long chunk, RuntimeException cause) {
    super(
        "Entry point "
            + entry
            + " of program "
            + program
            + " failed"
            + (partition < 0 ? "" : " in partition " + partition)
            + (chunk < 0 ? "" : ", chunk " + chunk)
            + ": "
            + cause.getMessage(),
        cause);
    this.program = program;
    this.entry = entry;
    this.partition = partition;
    this.chunk = chunk;
    backtrace = cause instanceof FutharkError e ? e.backtrace() : "";
    retryable =
        cause instanceof FutharkError e
            && (e.kind() == FutharkError.Kind.MEMORY || e.kind() == FutharkError.Kind.DEVICE);
  }

  /** Returns the name of the program. */
  public String program() {
    return program;
  }

  /** Returns the name of the entry point. */
  public String entry() {
    return entry;
  }

  /** Returns the number of the partition; -1 for joins of partitions. */
  public int partition() {
    return partition;
  }

  /** Returns the number of the chunk in its partition; -1 for joins. */
  public long chunk() {
    return chunk;
  }

  /** Returns the positions in the program's source, innermost first; empty if unknown. */
  public String backtrace() {
    return backtrace;
  }

  /** Returns the name, the message and the backtrace. */
  @SuppressWarnings("OverrideThrowableToString") // Engines print the text of the exception alone.
  @Override
  public String toString() {
    return backtrace.isEmpty() ? super.toString() : super.toString() + "\n" + backtrace;
  }

  /**
   * Tests whether the partition may succeed on another device: memory was lacking, or the device
   * was lost. Errors of the program are the same everywhere.
   */
  public boolean isRetryable() {
    return retryable;
  }
}
