package futharkc.backend.cuda.runtime;

import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.device.Diagnosis;
import futharkc.core.runtime.device.DriverException;
import futharkc.core.runtime.device.SharedLibrary;
import java.util.ArrayList;
import java.util.List;

/** The check of this machine for CUDA's driver, devices and compiler. */
public final class CudaDiagnosis implements Diagnosis {
  /** Creates the check; called by {@code ServiceLoader}. */
  public CudaDiagnosis() {}

  @Override
  public String subject() {
    return "CUDA";
  }

  @Override
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    int version = driver(findings);
    try {
      Nvrtc.Search search = Nvrtc.search(version);
      Nvrtc nvrtc = search.found();
      if (nvrtc == null) {
        findings.add(
            Finding.bad(
                "no compiler for kernels (NVRTC); looked at " + String.join("; ", search.probed()),
                "install CUDA's toolkit and set CUDA_HOME, or 'pip install nvidia-cuda-nvrtc'"));
      } else {
        findings.add(
            Finding.good("NVRTC " + CudaLibrary.text(nvrtc.version()) + ", " + nvrtc.name()));
      }
    } catch (DriverException e) {
      findings.add(Finding.bad("NVRTC does not work: " + e.getMessage(), "install it again"));
    }
    return findings;
  }

  private static int driver(List<Finding> findings) {
    SharedLibrary library = CudaLibrary.find();
    if (library == null) {
      findings.add(
          Finding.bad(
              "no driver; looked for " + String.join(", ", CudaLibrary.candidates()),
              "install NVIDIA's driver, or add its folder to LD_LIBRARY_PATH"));
      return Integer.MAX_VALUE;
    }
    int version = Integer.MAX_VALUE;
    try {
      version = CudaLibrary.version(library);
      findings.add(
          Finding.good("driver for CUDA " + CudaLibrary.text(version) + ", " + library.name()));
      findings.addAll(Diagnosis.devices(new CudaApi(), "install a newer driver"));
    } catch (FutharkError e) {
      findings.add(Finding.bad(e.getMessage(), "install a newer driver"));
    }
    return version;
  }
}
