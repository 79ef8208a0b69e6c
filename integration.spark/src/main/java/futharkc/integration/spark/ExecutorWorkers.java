package futharkc.integration.spark;

import futharkc.core.runtime.device.DeviceOptions;
import futharkc.integration.partitions.CheckedJob;
import futharkc.integration.partitions.PartitionTask;
import futharkc.integration.partitions.PartitionWorker;
import futharkc.integration.partitions.ProgramHandle;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a program in this JVM. They stay open for later tasks, with the shared arguments
 * of the last jobs on their devices. A Spark task that runs several jobs on its rows, one after the
 * other, uses one worker for all of them.
 */
final class ExecutorWorkers {
  /** The most jobs whose shared arguments an idle worker keeps. */
  private static final int KEPT_JOBS = 2;

  /** The time between two checks for the cancellation of a waiting task, in milliseconds. */
  private static final long WAIT = 100;

  private static final ConcurrentMap<ProgramHandle, ExecutorWorkers> ALL =
      new ConcurrentHashMap<>();

  private final ProgramHandle program;
  private final List<String> devices;
  private final List<Slot> slots = new ArrayList<>();

  private ExecutorWorkers(ProgramHandle program) {
    this.program = program;
    devices =
        program.deviceOptions().stream().map(d -> java.util.Objects.toString(d.device())).toList();
  }

  /** Returns the workers of a program. */
  static ExecutorWorkers of(ProgramHandle program) {
    return ALL.computeIfAbsent(program, ExecutorWorkers::new);
  }

  /** A worker on a device, or on the processors that Spark gives a task. */
  private static final class Slot {
    final String device;
    final PartitionWorker worker;
    final Map<Long, PartitionTask> jobs = new LinkedHashMap<>();
    final Map<Long, Integer> uses = new LinkedHashMap<>();
    @Nullable TaskContext owner;

    Slot(String device, PartitionWorker worker) {
      this.device = device;
      this.worker = worker;
    }

    boolean isCancelled() {
      TaskContext context = owner;
      return context != null && context.isInterrupted();
    }
  }

  /** The use of a worker by a Spark task. */
  final class Use implements AutoCloseable {
    private final Slot slot;
    private final long job;
    private final PartitionTask task;
    private boolean closed;

    private Use(Slot slot, long job, PartitionTask task) {
      this.slot = slot;
      this.job = job;
      this.task = task;
    }

    /** Returns the job on the worker. */
    PartitionTask task() {
      return task;
    }

    /** Gives the worker back; further calls have no effect. */
    @Override
    public void close() {
      synchronized (ExecutorWorkers.this) {
        if (!closed) {
          closed = true;
          release(slot, job);
        }
      }
    }

    /** Closes the worker, whose device may be unusable, and gives its place back. */
    void discard() {
      synchronized (ExecutorWorkers.this) {
        slots.remove(slot);
        slot.worker.close();
        slot.jobs.clear();
      }
      close();
    }
  }

  /**
   * Waits for a worker.
   *
   * @param context the Spark task
   * @param job the number of the job
   * @param checked the job
   * @param resource the resource whose address numbers the device, if the task has that resource
   * @throws CancellationException if the task is cancelled
   */
  synchronized Use acquire(TaskContext context, long job, CheckedJob checked, String resource) {
    ResourceInformation assigned = context.resourcesJMap().get(resource);
    String device =
        devices.isEmpty() || assigned == null || assigned.addresses().length == 0
            ? null
            : "#" + assigned.addresses()[0];
    Slot slot = find(context, device);
    while (slot == null) {
      if (context.isInterrupted()) {
        throw new CancellationException("the job was cancelled");
      }
      try {
        wait(WAIT);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancellationException("the job was cancelled");
      }
      slot = find(context, device);
    }
    slot.owner = context;
    slot.uses.merge(job, 1, Integer::sum);
    try {
      PartitionTask task = slot.jobs.get(job);
      if (task == null) {
        closeOldJobs(slot);
        task = new PartitionTask(checked, slot.worker, slot::isCancelled);
        slot.jobs.put(job, task);
      }
      return new Use(slot, job, task);
    } catch (RuntimeException | Error e) {
      release(slot, job);
      throw e;
    }
  }

  /** Returns the task's own worker, or an idle one; null if the task has to wait. */
  private @Nullable Slot find(TaskContext context, @Nullable String device) {
    for (Slot slot : slots) {
      if (slot.owner != null && slot.owner.taskAttemptId() == context.taskAttemptId()) {
        return slot;
      }
    }
    for (Slot slot : slots) {
      if (slot.owner == null && (device == null || device.equals(slot.device))) {
        return slot;
      }
    }
    String free = device;
    if (devices.isEmpty()) {
      free = "";
    } else if (device == null) {
      List<String> used = slots.stream().map(s -> s.device).toList();
      free = devices.stream().filter(d -> !used.contains(d)).findFirst().orElse(null);
    } else if (slots.stream().anyMatch(s -> device.equals(s.device))) {
      free = null;
    }
    return free == null ? null : open(context, free);
  }

  private Slot open(TaskContext context, String device) {
    DeviceOptions options =
        device.isEmpty()
            ? DeviceOptions.DEFAULT
            : new DeviceOptions.Builder().device(device).build();
    Slot slot =
        new Slot(device, new PartitionWorker(program, options, Math.max(1, context.cpus())));
    slots.add(slot);
    return slot;
  }

  private static void closeOldJobs(Slot slot) {
    Iterator<Map.Entry<Long, PartitionTask>> oldest = slot.jobs.entrySet().iterator();
    while (slot.jobs.size() >= KEPT_JOBS && oldest.hasNext()) {
      Map.Entry<Long, PartitionTask> entry = oldest.next();
      if (!slot.uses.containsKey(entry.getKey())) {
        entry.getValue().close();
        oldest.remove();
      }
    }
  }

  private void release(Slot slot, long job) {
    slot.uses.computeIfPresent(job, (j, n) -> n == 1 ? null : n - 1);
    if (slot.uses.isEmpty()) {
      slot.owner = null;
      notifyAll();
    }
  }
}
