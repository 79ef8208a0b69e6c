package futharkc.core.runtime;

/**
 * What the run time weighs against what when it cuts up work. An emitted program has a tuning
 * parameter for each, whose default is that of the machine it was compiled for.
 *
 * @param chunkOperations elementary operations that are worth a chunk of their own
 * @param cachedElements elements that stay in a cache while a chunk of a scan is passed over twice
 * @param sharingOperations elementary operations in the time that a region takes longer for each
 *     thread that helps
 */
public record HostTuning(long chunkOperations, long cachedElements, long sharingOperations) {
  /** For programs without these parameters: those that no compiler has made. */
  static final HostTuning PLAIN = new HostTuning(30_000, 32_768, 3_000);

  /** The names of the parameters, in the order of this record's components. */
  private static final String[] NAMES = {
    "host.chunk_operations", "host.cached_elements", "host.sharing_operations"
  };

  /** The parameters that an emitted program has, with these values as defaults. */
  public FutharkProgram.TuningParameter[] parameters() {
    long[] values = {chunkOperations, cachedElements, sharingOperations};
    FutharkProgram.TuningParameter[] all = new FutharkProgram.TuningParameter[NAMES.length];
    for (int i = 0; i < NAMES.length; i++) {
      all[i] = new FutharkProgram.TuningParameter(NAMES[i], "host", values[i]);
    }
    return all;
  }

  /** What a program's parameters say, at present. */
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
