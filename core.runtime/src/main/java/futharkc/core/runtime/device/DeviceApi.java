package futharkc.core.runtime.device;

import java.util.List;

/** An interface to devices: CUDA, or OpenCL. */
public interface DeviceApi {
  /** Its name in options and messages: {@code CUDA} or {@code OpenCL}. */
  String name();

  /**
   * The devices, platform by platform.
   *
   * @throws futharkc.core.runtime.FutharkError if what the interface needs is not installed; the
   *     message says what was looked for, and what to do. No devices are no error
   */
  List<DeviceInfo> devices();

  /**
   * What to say where the interface is installed and has no devices: what was looked at, and what
   * to do.
   */
  NoDevices noDevices();

  /**
   * Why there are no devices.
   *
   * @param lookedAt what was looked at, in words without full stop
   * @param wayOut what to do, in such words
   */
  record NoDevices(String lookedAt, String wayOut) {}

  /**
   * Gets ready for launches, as far as no device is needed for that; it takes as long as to open
   * one, and can be done in another thread meanwhile. Without it the first launch does it. Where
   * the interface is not installed nothing happens.
   *
   * @param times how often to make the calls of a launch, to functions that do nothing: once to
   *     have them linked, some hundred times to have them compiled
   */
  void prepare(int times);

  /** The device to take, out of one or more, if nobody asks for one: its position. */
  int preferred(List<DeviceInfo> devices);

  /**
   * Opens one of {@link #devices()}.
   *
   * @param options for what depends on them: profiling and compiler options
   * @throws futharkc.core.runtime.FutharkError if that fails
   */
  Driver open(DeviceInfo device, DeviceOptions options);
}
