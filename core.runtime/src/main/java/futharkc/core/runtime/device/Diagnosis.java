package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.util.ArrayList;
import java.util.List;

/**
 * A check of this machine for the requirements of an interface to devices. {@code ServiceLoader}
 * finds the implementations.
 */
public interface Diagnosis {
  /** Returns the name of the interface: {@code OpenCL}, {@code CUDA}. */
  String subject();

  /** Returns the findings in order; never fails. */
  List<Finding> findings();

  /**
   * Returns the devices of an installed interface.
   *
   * @param api the interface
   * @param mend the remedy if the devices cannot be listed
   */
  static List<Finding> devices(DeviceApi api, String mend) {
    List<Finding> findings = new ArrayList<>();
    try {
      for (DeviceInfo device : api.devices()) {
        String architecture = device.architecture().isEmpty() ? "" : device.architecture() + ", ";
        findings.add(
            Finding.good(
                device.platform()
                    + ": "
                    + device.name()
                    + ", "
                    + architecture
                    + "driver "
                    + device.driver()
                    + ", "
                    + (device.limits().memory() >> 20)
                    + " MiB"));
      }
      DeviceApi.NoDevices why = api.noDevices();
      return findings.isEmpty()
          ? List.of(Finding.bad("no device: " + why.lookedAt(), why.wayOut()))
          : findings;
    } catch (FutharkError e) {
      return List.of(Finding.bad(e.getMessage(), mend));
    }
  }

  /**
   * A requirement that is met or missing.
   *
   * @param good true if the requirement is met
   * @param what the thing found or searched, in a sentence without full stop
   * @param wayOut the remedy, in a sentence without full stop; empty if the requirement is met
   */
  record Finding(boolean good, String what, String wayOut) {
    /** Returns a finding for a requirement that is met. */
    public static Finding good(String what) {
      return new Finding(true, what, "");
    }

    /** Returns a finding for a missing requirement, with a remedy. */
    public static Finding bad(String what, String wayOut) {
      return new Finding(false, what, wayOut);
    }
  }
}
