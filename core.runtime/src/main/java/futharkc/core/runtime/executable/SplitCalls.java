package futharkc.core.runtime.executable;

import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.Value;
import java.util.List;

/** The calls of a server that several devices run. */
interface SplitCalls {
  /** Tests whether several devices run an entry point. */
  boolean runs(EntryPoint entry);

  /**
   * Runs an entry point.
   *
   * @param keys the identities of the arguments; devices keep the arguments of the last call by
   *     these identities
   * @return the result, on the host
   */
  Value call(EntryPoint entry, Value[] arguments, List<Object> keys);

  /** Releases what devices keep of an argument, whose value changes or ends. */
  void forget(Object key);
}
