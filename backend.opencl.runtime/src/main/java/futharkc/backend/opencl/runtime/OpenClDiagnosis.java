package futharkc.backend.opencl.runtime;

import futharkc.core.runtime.device.Diagnosis;
import futharkc.core.runtime.device.SharedLibrary;
import java.util.ArrayList;
import java.util.List;

/** The check of this machine for OpenCL's library and devices. */
public final class OpenClDiagnosis implements Diagnosis {
  static final String INSTALL =
      "install a device's driver, or for CPUs PoCL (Debian: apt-get install ocl-icd-libopencl1"
          + " pocl-opencl-icd)";

  /** Creates the check; called by {@code ServiceLoader}. */
  public OpenClDiagnosis() {}

  @Override
  public String subject() {
    return "OpenCL";
  }

  @Override
  public List<Finding> findings() {
    SharedLibrary library = OpenClLibrary.find();
    if (library == null) {
      return List.of(
          Finding.bad(
              "no OpenCL library; looked for " + String.join(", ", OpenClLibrary.candidates()),
              INSTALL));
    }
    List<Finding> findings = new ArrayList<>();
    findings.add(Finding.good("library " + library.name()));
    findings.addAll(Diagnosis.devices(new OpenClApi(), INSTALL));
    return findings;
  }
}
