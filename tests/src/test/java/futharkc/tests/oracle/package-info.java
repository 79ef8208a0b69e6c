/**
 * A second opinion on what programs mean: an interpreter of the checked syntax tree that shares
 * nothing with the compiler behind the type checker. It is small, slow and obvious: values are
 * trees, nothing is updated in place, integers are computed without limit and cut to their type,
 * functions are closures, types are looked at where they stand.
 */
@org.jspecify.annotations.NullMarked
package futharkc.tests.oracle;
