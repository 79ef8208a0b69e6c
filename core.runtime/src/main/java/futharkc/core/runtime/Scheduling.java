package futharkc.core.runtime;

/** The ways in which the tasks of parallel regions can come to the threads of a context. */
public enum Scheduling {
  /** As elements of a parallel stream, in a pool of the context's own. */
  STREAMS,

  /** Handed out by the chunk scheduler, to threads that get the same part of a range each time. */
  TEAM;

  /** What is used unless somebody says otherwise. */
  public static final Scheduling DEFAULT = TEAM;
}
