package futharkc.core.ir;

/**
 * A number that may be set when a program is started, and does not change what it computes.
 *
 * @param name what tuning files call it: the function it is in, a point, and what it is for with a
 *     number, as {@code main.suff_outer_par_0}
 */
public record TuningParameter(String name, SizeClass sizeClass) {}
