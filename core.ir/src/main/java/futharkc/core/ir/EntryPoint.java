package futharkc.core.ir;

import java.util.List;

/**
 * The signature of a function for callers outside the program. Each entry parameter and the entry
 * result represent one or more parameters or results of the function, in order. Leading i64
 * parameters and results of the function without an entry counterpart are sizes, derived from the
 * shapes of the other arguments.
 */
public record EntryPoint(
    String name, List<Param> params, ExtType result, boolean uniqueResult, String doc) {
  public EntryPoint {
    params = List.copyOf(params);
  }

  /** A parameter as seen by external callers. */
  public record Param(String name, ExtType type, boolean unique) {}
}
