package futharkc.core.runtime;

/** The methods by which the threads of a context get the tasks of parallel regions. */
public enum Scheduling {
  /** A parallel stream in the context's own thread pool; tasks are its elements. */
  STREAMS,

  /** The chunk scheduler, which gives a thread the same part of a range each time. */
  TEAM;

  /** The default method. */
  public static final Scheduling DEFAULT = TEAM;
}
