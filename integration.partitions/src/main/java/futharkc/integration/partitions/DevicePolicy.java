package futharkc.integration.partitions;

import java.io.Serializable;
import java.util.List;

/**
 * The devices that run a program's calls. Programs for CPUs ignore the selection.
 *
 * @param names the devices as {@link futharkc.core.runtime.device.DeviceOptions#device} names them,
 *     such as {@code #1}; empty for all devices
 */
public record DevicePolicy(List<String> names) implements Serializable {
  /** All devices of the interface, each with one worker. */
  public static final DevicePolicy ALL = new DevicePolicy(List.of());

  /** The first device. */
  public static final DevicePolicy FIRST = new DevicePolicy(List.of("#0"));

  /** Creates a selection. */
  public DevicePolicy {
    names = List.copyOf(names);
  }
}
