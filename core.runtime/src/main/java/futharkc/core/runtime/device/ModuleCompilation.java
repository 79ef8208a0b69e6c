package futharkc.core.runtime.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a program's modules, and while one of them is being waited for, those that come after
 * it: a call launches kernels of many modules roughly in their order. As many are compiled at a
 * time as there are processors that nobody uses.
 */
final class ModuleCompilation {
  /** A compiler takes some hundred megabytes. */
  private static final int MOST = 8;

  /** As many as there are processors for. */
  static final int UNKNOWN = -1;

  private final KernelBinaries binaries;
  private final int count;

  /** How many modules to be ahead; {@link #UNKNOWN} before the first one. */
  private int ahead;

  private final Map<Integer, FutureTask<byte[]>> tasks = new HashMap<>();
  private @Nullable ExecutorService pool;

  /**
   * Of a program.
   *
   * @param count how many modules it has
   * @param ahead how many modules to be ahead; none if the compiler takes one call at a time
   */
  ModuleCompilation(KernelBinaries binaries, int count, int ahead) {
    this.binaries = binaries;
    this.count = count;
    this.ahead = ahead;
  }

  /**
   * The binary of a module that is not in the cache.
   *
   * @throws DriverException if it does not compile
   */
  byte[] binary(int module) {
    if (ahead == UNKNOWN) {
      ahead = Math.clamp(idleProcessors() - 1, 0, MOST);
    }
    FutureTask<byte[]> wanted = tasks.remove(module);
    for (int i = module + 1; i <= Math.min(module + ahead, count - 1); i++) {
      int next = i;
      tasks.computeIfAbsent(i, k -> submitted(new FutureTask<>(() -> binaries.binary(next))));
    }
    if (wanted == null) {
      return binaries.binary(module);
    }
    // If no thread has come to it yet, this one does it.
    wanted.run();
    return result(wanted);
  }

  private FutureTask<byte[]> submitted(FutureTask<byte[]> task) {
    ExecutorService threads = pool;
    if (threads == null) {
      threads =
          Executors.newFixedThreadPool(
              ahead, Thread.ofPlatform().daemon().name("kernels-", 0).factory());
      pool = threads;
    }
    threads.execute(task);
    return task;
  }

  private static byte[] result(FutureTask<byte[]> task) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof RuntimeException x) {
            throw x;
          }
          throw new IllegalStateException(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Those that were not busy during the last minute, as far as the system tells. */
  private static int idleProcessors() {
    int all = Runtime.getRuntime().availableProcessors();
    try {
      String load = Files.readString(Path.of("/proc/loadavg"));
      return all - (int) Math.ceil(Double.parseDouble(load.substring(0, load.indexOf(' '))));
    } catch (IOException | RuntimeException e) {
      return all / 2;
    }
  }

  /** Begins no more, and waits for what has begun: a compiler cannot be stopped. */
  void close() {
    ExecutorService threads = pool;
    pool = null;
    if (threads == null) {
      return;
    }
    threads.shutdownNow();
    boolean interrupted = false;
    while (true) {
      try {
        if (threads.awaitTermination(1, TimeUnit.DAYS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
