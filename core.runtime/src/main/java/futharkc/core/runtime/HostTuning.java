package futharkc.core.runtime;

/**
 * The costs by which the run time divides work into chunks. A compiled program has a tuning
 * parameter for each cost; the default is that of the machine that compiled it.
 *
 * @param chunkOperations the least number of elementary operations that is worth a chunk
 * @param cachedElements the number of elements that stay in a cache between the two passes over a
 *     chunk of a scan
 * @param sharingOperations the additional time of a region for each helping thread, in elementary
 *     operations
 */
public record HostTuning(long chunkOperations, long cachedElements, long sharingOperations) {
  /** The costs for programs without these parameters, such as hand-written ones. */
  static final HostTuning PLAIN = new HostTuning(30_000, 32_768, 3_000);

  /** The names of the parameters, in the order of this record's components. */
  private static final String[] NAMES = {
    "host.chunk_operations", "host.cached_elements", "host.sharing_operations"
  };

  /** Returns the tuning parameters of a compiled program, with these values as defaults. */
  public FutharkProgram.TuningParameter[] parameters() {
    long[] values = {chunkOperations, cachedElements, sharingOperations};
    FutharkProgram.TuningParameter[] all = new FutharkProgram.TuningParameter[NAMES.length];
    for (int i = 0; i < NAMES.length; i++) {
      all[i] = new FutharkProgram.TuningParameter(NAMES[i], "host", values[i]);
    }
    return all;
  }

  /**
   * Returns the costs that a program's tuning parameters define.
   *
   * @param params the tuning parameters
   * @param values the current values
   */
  static HostTuning of(FutharkProgram.TuningParameter[] params, long[] values) {
    long[] all = {PLAIN.chunkOperations, PLAIN.cachedElements, PLAIN.sharingOperations};
    for (int i = 0; i < params.length; i++) {
      for (int k = 0; k < NAMES.length; k++) {
        if (params[i].name().equals(NAMES[k])) {
          all[k] = values[i];
        }
      }
    }
    return new HostTuning(all[0], all[1], all[2]);
  }
}
