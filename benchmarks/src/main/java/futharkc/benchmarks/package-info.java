/** Benchmarks of the compiler's own hot paths and of the code that it generates. */
@NullMarked
package futharkc.benchmarks;

import org.jspecify.annotations.NullMarked;
