package futharkc.core.ir.analysis;

/**
 * A question about a function, of arrays or imperative. Equal analyses give equal answers for the
 * same function; so what an analysis reads besides the function, such as signatures of others, is
 * part of it.
 *
 * @param <F> the kind of function
 * @param <R> the answer, which is immutable and does not refer to the function
 */
public interface Analysis<F, R> {
  /** A short name, for statistics. */
  String name();

  /**
   * Computes the answer. It may ask the cache for other analyses, but not, directly or indirectly,
   * for itself.
   */
  R compute(F function, AnalysisCache cache);
}
