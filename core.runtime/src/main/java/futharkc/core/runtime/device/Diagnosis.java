package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.util.ArrayList;
import java.util.List;

/** Looks for what an interface to devices needs on this machine. Found by {@code ServiceLoader}. */
public interface Diagnosis {
  /** What it is about: {@code OpenCL}, {@code CUDA}. */
  String subject();

  /** What was found, one thing after the other; never fails. */
  List<Finding> findings();

  /**
   * The devices of an interface that is installed.
   *
   * @param mend what to do if they cannot be listed
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
   * Something that is there, or is missing.
   *
   * @param good whether it is as it should be
   * @param what is there, or what was looked for, in a sentence without full stop
   * @param wayOut what to do, in such a sentence; empty if it is good
   */
  record Finding(boolean good, String what, String wayOut) {
    /** Something that is there. */
    public static Finding good(String what) {
      return new Finding(true, what, "");
    }

    /** Something that is missing, and what to do about it. */
    public static Finding bad(String what, String wayOut) {
      return new Finding(false, what, wayOut);
    }
  }
}
