/** Reports on the measurements of benchmarks: comparisons, and profiles. */
module futharkc.tools.reports {
  requires com.fasterxml.jackson.core;
  requires static org.jspecify;

  exports futharkc.tools.reports;
}
