package futharkc.core.runtime.device;

import java.util.List;

/** Looks for what an interface to devices needs on this machine. Found by {@code ServiceLoader}. */
public interface Diagnosis {
  /** What it is about: {@code OpenCL}, {@code CUDA}. */
  String subject();

  /** What was found, one thing after the other; never fails. */
  List<Finding> findings();

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
