package futharkc.core.ir;

/**
 * A number that users may set when a program starts, without effect on the program's results.
 *
 * @param name the name in tuning files: the function, a point, and the purpose with a number, for
 *     example {@code main.suff_outer_par_0}
 */
public record TuningParameter(String name, SizeClass sizeClass) {}
