/**
 * Reports on the measurements of benchmarks. {@link futharkc.tools.reports.BenchmarkResults} is the
 * content of a file that {@code futharkc bench --json} writes.
 */
@NullMarked
package futharkc.tools.reports;

import org.jspecify.annotations.NullMarked;
