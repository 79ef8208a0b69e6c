package futharkc.harness;

/** A runner of jobs in a worker. */
@FunctionalInterface
public interface JobRunner {
  /**
   * Runs a job. An exception fails the running unit. An {@link Error} also ends the worker.
   *
   * @param report the report of started and finished units
   */
  void run(Job job, Report report) throws Exception;

  /** A report of a runner's progress. */
  interface Report {
    /** Reports the start of a unit. The time limit of the unit counts from this call. */
    void started(String unit);

    /** Reports the end of a unit. */
    void finished(Outcome outcome);

    /**
     * Reports that this process must not run further units, for example because a unit has
     * corrupted the device. The runner then returns, and another worker runs the unfinished units.
     */
    void spent();
  }
}
