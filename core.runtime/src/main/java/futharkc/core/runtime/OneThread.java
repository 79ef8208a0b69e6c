package futharkc.core.runtime;

import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs everything on one thread, which is not the caller's, so that the caller can give up. */
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
