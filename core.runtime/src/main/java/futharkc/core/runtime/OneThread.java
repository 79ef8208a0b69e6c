package futharkc.core.runtime;

import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that runs all calls and tasks on one thread. This is not the caller's thread, so that
 * the caller can stop waiting.
 */
final class OneThread implements Scheduler {
  private final ForkJoinPool pool;

  OneThread(Supplier<@Nullable Thread> caller) {
    pool = Worker.pool(1, caller);
  }

  @Override
  public <T> Future<T> start(Callable<T> call) {
    return Worker.start(pool, call);
  }

  @Override
  public boolean isHere() {
    return Worker.isOf(pool);
  }

  @Override
  public int begin(Region region) {
    return Math.min(1, region.tasks());
  }

  @Override
  public void run(Region region, int element) {
    region.runAll();
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
