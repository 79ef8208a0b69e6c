package futharkc.harness;

/** The worker's side of a job. */
@FunctionalInterface
public interface JobRunner {
  /**
   * Runs a job. Whatever it throws fails the unit that is under way, and ends the worker if it is
   * an {@link Error}.
   *
   * @param report where to say which unit begins, and how units end
   */
  void run(Job job, Report report) throws Exception;

  /** Where a runner says how far it is. */
  interface Report {
    /** A unit begins: from now on, its time is taken. */
    void started(String unit);

    /** A unit is over. */
    void finished(Outcome outcome);

    /**
     * This process is in a state in which nothing more should be tried, such as with a device that
     * the last unit has spoilt. The runner returns; units that are not over go to another worker.
     */
    void spent();
  }
}
