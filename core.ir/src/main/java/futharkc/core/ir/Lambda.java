package futharkc.core.ir;

import java.util.List;

/**
 * An anonymous function, argument of an operation. It may use every name in scope.
 *
 * @param results the types of the results; their sizes are bound outside the lambda
 */
public record Lambda(List<Param> params, Body body, List<Type> results) {
  public Lambda {
    params = List.copyOf(params);
    results = List.copyOf(results);
  }
}
