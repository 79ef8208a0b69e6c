package futharkc.core.ir;

import java.util.List;

/**
 * An anonymous function, used as an argument of an operation. The body may use every name in scope.
 *
 * @param results the types of the results; the lambda does not bind the sizes in them
 */
public record Lambda(List<Param> params, Body body, List<Type> results) {
  public Lambda {
    params = List.copyOf(params);
    results = List.copyOf(results);
  }
}
