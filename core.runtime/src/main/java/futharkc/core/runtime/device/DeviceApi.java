package futharkc.core.runtime.device;

import java.util.List;

/** An interface to devices: CUDA or OpenCL. */
public interface DeviceApi {
  /** Returns the name of the interface in options and messages: {@code CUDA} or {@code OpenCL}. */
  String name();

  /**
   * Returns the devices, platform by platform. An empty list is not an error.
   *
   * @throws futharkc.core.runtime.FutharkError if a library that the interface needs is not
   *     installed; the message contains the search and a remedy
   */
  List<DeviceInfo> devices();

  /** Returns the explanation for an interface that is installed but has no devices. */
  NoDevices noDevices();

  /**
   * The explanation for missing devices.
   *
   * @param lookedAt the search, in words without full stop
   * @param wayOut the remedy, in words without full stop
   */
  record NoDevices(String lookedAt, String wayOut) {}

  /**
   * Prepares launches, as far as this needs no device. The preparation takes as long as opening a
   * device, and can run in another thread meanwhile. Without it, the first launch does the same
   * work. If the interface is not installed, the method has no effect.
   *
   * @param times the number of launches to simulate on functions without effect: one links the
   *     calls, some hundreds have them compiled
   */
  void prepare(int times);

  /**
   * Returns the position of the default device.
   *
   * @param devices the devices, at least one
   */
  int preferred(List<DeviceInfo> devices);

  /**
   * Opens a device.
   *
   * @param device one of {@link #devices()}
   * @param options the options; opening depends on profiling and compiler options
   * @throws futharkc.core.runtime.FutharkError if the device cannot be opened
   */
  Driver open(DeviceInfo device, DeviceOptions options);
}
