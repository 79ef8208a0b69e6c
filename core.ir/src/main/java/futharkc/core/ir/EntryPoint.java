package futharkc.core.ir;

import java.util.List;

/**
 * How a function is called from outside: each parameter and the result stand for one or more of the
 * function's own, in order. The function's leading parameters (and results) of type i64 that no
 * entry parameter stands for are sizes, found from the shapes.
 */
public record EntryPoint(
    String name, List<Param> params, ExtType result, boolean uniqueResult, String doc) {
  public EntryPoint {
    params = List.copyOf(params);
  }

  /** A parameter as seen from outside. */
  public record Param(String name, ExtType type, boolean unique) {}
}
