package futharkc.pass.migration;

import futharkc.core.ir.spi.PassContext;

/**
 * The parts of the pass that are switched on.
 *
 * @param branches whole branches move if the device has the condition
 * @param loops whole loops move if the device has the bound or the condition
 * @param literals array literals with variables move, so that the host need not write elements
 * @param updates kernels update elements at indices that only the device has
 * @param arrays loops that update arrays in place move if a kernel is faster
 * @param costs the costs of reads, kernels and scalar work
 */
record Settings(
    boolean branches,
    boolean loops,
    boolean literals,
    boolean updates,
    boolean arrays,
    Costs costs) {
  static Settings of(PassContext context) {
    return new Settings(
        context.flag("branches"),
        context.flag("loops"),
        context.flag("literals"),
        context.flag("updates"),
        context.flag("loops") && context.flag("arrays"),
        Costs.of(context));
  }
}
