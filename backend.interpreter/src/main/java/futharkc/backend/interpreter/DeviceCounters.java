package futharkc.backend.interpreter;

import futharkc.core.runtime.DeviceActivity;

/** Counters of the operations of an imperative program's host code on the device. */
final class DeviceCounters {
  private long launches;
  private long reads;
  private long elements;
  private long waits;
  private long writes;
  private long copies;
  private long bytesRead;
  private long bytesWritten;

  DeviceActivity activity() {
    return new DeviceActivity(
        launches, reads, elements, waits, writes, copies, bytesRead, bytesWritten);
  }

  void launched() {
    launches++;
  }

  /** Counts the transfer of one element to the host. */
  void read(long bytes) {
    reads++;
    elements++;
    bytesRead += bytes;
  }

  void waited() {
    waits++;
  }

  void written(long bytes) {
    writes++;
    bytesWritten += bytes;
  }

  void copied() {
    copies++;
  }
}
