package futharkc.integration.partitions;

import futharkc.core.runtime.Value;
import java.util.List;

/**
 * An operation of a program on a table.
 *
 * @param program the program
 * @param operation the operation
 * @param shared the arguments that all calls share, before the columns; each device gets them once
 * @param columns the Futhark types of the columns' arrays, such as {@code []f64}
 * @param chunks the limit of chunks
 * @param nulls the treatment of nulls
 */
public record Job(
    ProgramHandle program,
    Operation operation,
    List<Value> shared,
    List<String> columns,
    ChunkSize chunks,
    Nulls nulls) {
  /** Copies the lists. */
  public Job {
    shared = List.copyOf(shared);
    columns = List.copyOf(columns);
  }

  /** Creates a job without shared arguments, whole batches, and no nulls. */
  public Job(ProgramHandle program, Operation operation, String... columns) {
    this(program, operation, List.of(), List.of(columns), ChunkSize.WHOLE, Nulls.REFUSE);
  }

  /** Returns this job with shared arguments. */
  public Job withShared(Value... values) {
    return new Job(program, operation, List.of(values), columns, chunks, nulls);
  }

  /** Returns this job with a limit of chunks. */
  public Job withChunks(ChunkSize size) {
    return new Job(program, operation, shared, columns, size, nulls);
  }

  /** Returns this job with a treatment of nulls. */
  public Job withNulls(Nulls treatment) {
    return new Job(program, operation, shared, columns, chunks, treatment);
  }
}
