package futharkc.integration.partitions;

import java.io.Serializable;

/**
 * The limit of a chunk, the rows of one call. Data of a partition may so exceed the memory of a
 * device.
 *
 * @param rows the largest number of rows, at least 1
 * @param bytes the largest size of all columns in bytes; a chunk has at least one row
 */
public record ChunkSize(long rows, long bytes) implements Serializable {
  /** No limit: a chunk is a whole batch. */
  public static final ChunkSize WHOLE = new ChunkSize(Long.MAX_VALUE, Long.MAX_VALUE);

  /** Checks the limits. */
  public ChunkSize {
    if (rows < 1 || bytes < 1) {
      throw new IllegalArgumentException("chunks of " + rows + " rows and " + bytes + " bytes");
    }
  }

  /** Returns a limit of the number of rows. */
  public static ChunkSize ofRows(long rows) {
    return new ChunkSize(rows, Long.MAX_VALUE);
  }

  /** Returns a limit of the size in bytes. */
  public static ChunkSize ofBytes(long bytes) {
    return new ChunkSize(Long.MAX_VALUE, bytes);
  }

  /**
   * Returns the number of rows of a chunk.
   *
   * @param rowBytes the size of one row of all columns in bytes
   */
  public long rowsOf(long rowBytes) {
    return Math.min(rows, Math.max(1, bytes / Math.max(1, rowBytes)));
  }
}
