package futharkc.core.runtime;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** A scheduler that runs all calls and tasks on the thread of the caller. */
final class CallerThread implements Scheduler {
  @Override
  public <T> Future<T> start(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    task.run();
    return task;
  }

  @Override
  public boolean isHere() {
    return true;
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
  public void close() {}
}
