package futharkc.integration.spark;

import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.integration.partitions.CheckedJob;
import futharkc.integration.partitions.ChunkSize;
import futharkc.integration.partitions.Job;
import futharkc.integration.partitions.Nulls;
import futharkc.integration.partitions.Operation;
import futharkc.integration.partitions.ProgramHandle;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.StructType;

/**
 * A job in the form that executors receive by broadcast, each once.
 *
 * @param program the program
 * @param operation the operation
 * @param shared the encoded shared arguments
 * @param sharedCount the number of shared arguments
 * @param types the element types of the columns
 * @param chunks the limit of chunks
 * @param nulls the treatment of nulls
 * @param resource the resource of Spark whose addresses number the devices
 * @param result the columns of the result; without columns for a fold
 */
@SuppressWarnings("ArrayRecordComponent") // Jobs are not compared.
record SentJob(
    ProgramHandle program,
    Operation operation,
    byte[] shared,
    int sharedCount,
    List<ElemType> types,
    ChunkSize chunks,
    Nulls nulls,
    String resource,
    StructType result)
    implements Serializable {
  /** The rows of a batch if the job does not limit chunks. */
  private static final int DEFAULT_ROWS = 1 << 20;

  /** The most rows of a batch, which is an array in Java. */
  private static final int MOST_ROWS = 1 << 30;

  /** Returns the number of rows of a batch. */
  int batchRows() {
    if (chunks.equals(ChunkSize.WHOLE)) {
      return DEFAULT_ROWS;
    }
    long bytes = types.stream().mapToLong(ElemType::bytes).sum();
    return (int) Math.min(MOST_ROWS, chunks.rowsOf(bytes));
  }

  /** Returns the names of the columns' types. */
  static String[] typeNames(List<ElemType> types) {
    return types.stream().map(t -> "[]" + t.text()).toArray(String[]::new);
  }

  /** Returns the job, with its shared arguments decoded. */
  CheckedJob checked() {
    Job job = new Job(program, operation, typeNames(types)).withChunks(chunks).withNulls(nulls);
    return new CheckedJob(job.withShared(sharedValues().toArray(new Value[0])));
  }

  private List<Value> sharedValues() {
    if (sharedCount == 0) {
      return List.of();
    }
    EntryPoint entry = FutharkSpark.entry(program, operation);
    List<ValueType> wanted = new ArrayList<>();
    for (int i = 0; i < sharedCount; i++) {
      wanted.add(entry.parameters()[i].type());
    }
    return EncodedValues.decode(shared, wanted);
  }
}
