package futharkc.core.ir.analysis;

/**
 * An analysis of a function, of an array program or an imperative one. Equal analyses give equal
 * results for the same function. Additional inputs of an analysis, such as signatures of other
 * functions, are therefore part of it.
 *
 * @param <F> the kind of function
 * @param <R> the result, which is immutable and does not refer to the function
 */
public interface Analysis<F, R> {
  /** Returns a short name for statistics. */
  String name();

  /**
   * Computes the result. The computation may request other analyses from the cache, but not itself,
   * directly or indirectly.
   */
  R compute(F function, AnalysisCache cache);
}
