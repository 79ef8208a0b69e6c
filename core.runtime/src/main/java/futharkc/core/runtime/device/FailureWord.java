package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.nio.LongBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the kernels of a program say that they have failed: a block on the device of 64-bit words,
 * of which the first holds, in its lower half, -1, or which failure there was, and the others hold
 * its arguments. The first thread that fails exchanges -1 for the launch's {@link #base} plus the
 * failure's position in {@link KernelSource#failures}, and having done so writes the arguments.
 *
 * <p>A kernel that is launched after that finds a number that is not of its own launch, and has
 * nothing to do: what it works on may be wrong.
 *
 * <p>The word is looked at whenever the host waits for the device anyhow.
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

  /** The block on the device. */
  public Buffer buffer() {
    return buffer;
  }

  /** What the next launch adds to the position of a failure; another one at each call. */
  public int base() {
    launch = launch + 1 == launchNumbers ? 0 : launch + 1;
    return launch * failures.size();
  }

  /** Says that a kernel that has been launched may fail. */
  public void mayFail() {
    if (!pending) {
      pending = true;
      device.watch(this);
    }
  }

  /**
   * The failure that the first word tells of.
   *
   * @return null if there is none
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

  /** Forgets what may have happened: the device was lost. */
  void forget() {
    pending = false;
  }

  void close() {
    buffer.release();
  }
}
