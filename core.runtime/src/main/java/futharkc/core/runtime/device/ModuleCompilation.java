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
 * The compilation of a program's modules. A request for one module also starts the compilation of
 * the following ones, since a call launches kernels of many modules roughly in order. As many
 * compilations run concurrently as there are idle processors.
 */
final class ModuleCompilation {
  /** The largest number of concurrent compilations; a compiler takes some hundred megabytes. */
  private static final int MOST = 8;

  /** A number of modules that is determined by the idle processors. */
  static final int UNKNOWN = -1;

  private final KernelBinaries binaries;
  private final int count;

  /** The number of modules to compile ahead; {@link #UNKNOWN} before the first request. */
  private int ahead;

  private final Map<Integer, FutureTask<byte[]>> tasks = new HashMap<>();
  private @Nullable ExecutorService pool;

  /**
   * Creates the compilation of a program.
   *
   * @param binaries the binaries of the modules
   * @param count the number of modules
   * @param ahead the number of modules to compile ahead; 0 if the compiler is not thread-safe
   */
  ModuleCompilation(KernelBinaries binaries, int count, int ahead) {
    this.binaries = binaries;
    this.count = count;
    this.ahead = ahead;
  }

  /**
   * Returns the binary of a module that is not in the cache.
   *
   * @throws DriverException if the module does not compile
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
    // The current thread compiles the module itself if no other thread has started.
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

  /** Estimates the number of idle processors from the load average of the last minute. */
  private static int idleProcessors() {
    int all = Runtime.getRuntime().availableProcessors();
    try {
      String load = Files.readString(Path.of("/proc/loadavg"));
      return all - (int) Math.ceil(Double.parseDouble(load.substring(0, load.indexOf(' '))));
    } catch (IOException | RuntimeException e) {
      return all / 2;
    }
  }

  /**
   * Cancels waiting compilations, and waits for running ones, since a compiler cannot be stopped.
   */
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
