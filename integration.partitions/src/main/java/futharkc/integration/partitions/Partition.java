package futharkc.integration.partitions;

import java.util.Iterator;

/** A part of the rows of a table. The partitions of a job are numbered from 0 on, in row order. */
public interface Partition {
  /**
   * Returns the batches of rows, in order; no batches or empty ones are possible. A task calls this
   * method once for each attempt.
   */
  Iterator<Columns> batches();
}
