package futharkc.integration.spark;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.integration.partitions.CheckedJob;
import futharkc.integration.partitions.Columns;
import futharkc.integration.partitions.Job;
import futharkc.integration.partitions.NeighbourTree;
import futharkc.integration.partitions.Operation;
import futharkc.integration.partitions.PartitionTask;
import futharkc.integration.partitions.PartitionWorker;
import futharkc.integration.partitions.ProgramHandle;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.flink.api.common.functions.RichMapPartitionFunction;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.util.Collector;

/** A sketch of an engine for Flink, which shows that the interface of partitions fits Flink. */
final class FlinkEngine {
  private FlinkEngine() {}

  /** The partial result of each subtask that has rows, with the number of the subtask. */
  private static final class Partial
      extends RichMapPartitionFunction<Double, Tuple2<Integer, byte[]>> {
    private static final long serialVersionUID = 1;

    private final ProgramHandle program;
    private final Operation.Fold fold;

    Partial(ProgramHandle program, Operation.Fold fold) {
      this.program = program;
      this.fold = fold;
    }

    @Override
    public void mapPartition(Iterable<Double> rows, Collector<Tuple2<Integer, byte[]>> out) {
      double[] xs = StreamSupport.stream(rows.spliterator(), false).mapToDouble(x -> x).toArray();
      Columns columns = Columns.of(ArrayValue.vector(ElemType.F64, xs));
      int number = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
      CheckedJob job = new CheckedJob(new Job(program, fold, "[]f64"));
      try (PartitionWorker worker = new PartitionWorker(program, DeviceOptions.DEFAULT, 1);
          PartitionTask task = new PartitionTask(job, worker, () -> false)) {
        Value partial = task.partial(number, () -> List.of(columns).iterator());
        if (partial != null) {
          out.collect(Tuple2.of(number, EncodedValues.encode(List.of(partial))));
        }
      }
    }
  }

  /** Reduces a bounded stream to one value. */
  static Value fold(DataStream<Double> data, ProgramHandle program, Operation.Fold fold)
      throws Exception {
    int partitions = data.getParallelism();
    CheckedJob job = new CheckedJob(new Job(program, fold, "[]f64"));
    List<ValueType> type = List.of(job.entry().result());
    Value[] partials = new Value[partitions];
    List<Tuple2<Integer, byte[]>> results =
        data.fullWindowPartition()
            .mapPartition(new Partial(program, fold))
            .executeAndCollect(partitions);
    for (Tuple2<Integer, byte[]> result : results) {
      partials[result.f0] = EncodedValues.decode(result.f1, type).getFirst();
    }
    try (PartitionWorker worker = new PartitionWorker(program, DeviceOptions.DEFAULT, 1);
        PartitionTask task = new PartitionTask(job, worker, () -> false)) {
      NeighbourTree<Value> tree = new NeighbourTree<>(partitions);
      for (int i = 0; i < partitions; i++) {
        tree.add(i, partials[i], task::join);
      }
      Value result = tree.result();
      return result == null ? task.neutral() : result;
    }
  }
}
