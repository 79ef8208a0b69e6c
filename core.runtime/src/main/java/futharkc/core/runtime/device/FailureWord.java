package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.nio.LongBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The record of a kernel failure: a block on the device of 64-bit words. The lower half of the
 * first word is -1, or the number of the failure; the other words are the failure's arguments. The
 * first failing thread exchanges -1 for the launch's {@link #base} plus the failure's position in
 * {@link KernelSource#failures}. It then writes the arguments.
 *
 * <p>A later kernel finds the number of another launch and does nothing, since its input may be
 * wrong.
 *
 * <p>The host checks the word whenever it waits for the device.
 */
public final class FailureWord {
  private final Device device;
  private final List<KernelSource.Failure> failures;
  private final int arguments;
  private final Buffer buffer;
  private final int launchNumbers;
  private int launch;
  private boolean pending;

  FailureWord(Device device, List<KernelSource.Failure> failures) {
    this.device = device;
    this.failures = failures;
    arguments = failures.stream().mapToInt(f -> f.arguments().size()).max().orElse(0);
    launchNumbers = Integer.MAX_VALUE / Math.max(1, failures.size());
    buffer = device.allocateOwn(8L * (1 + arguments), "the record of failures");
    device.fill(buffer, 0, 8, -1, 1);
  }

  /** Returns the block on the device. */
  public Buffer buffer() {
    return buffer;
  }

  /** Returns the base of failure numbers for the next launch; each call returns another number. */
  public int base() {
    launch = launch + 1 == launchNumbers ? 0 : launch + 1;
    return launch * failures.size();
  }

  /** Records that an enqueued kernel may fail. */
  public void mayFail() {
    if (!pending) {
      pending = true;
      device.watch(this);
    }
  }

  /**
   * Returns the failure that the first word describes.
   *
   * @param driver the driver
   * @param first the lower half of the first word
   * @return null if there is no failure
   */
  @Nullable FutharkError failure(Driver driver, int first) {
    pending = false;
    if (first < 0) {
      return null;
    }
    long[] values = new long[arguments];
    if (arguments > 0) {
      driver.read(buffer.handle(), 8, LongBuffer.wrap(values), 0, 8L * arguments);
    }
    driver.fill(buffer.handle(), 0, 8, -1, 1);
    buffer.change();
    return failures.get(first % failures.size()).error(values);
  }

  /** Forgets failures of lost kernels, after the loss of the device. */
  void forget() {
    pending = false;
  }

  void close() {
    buffer.release();
  }
}
