/**
 * Printers of kernels in dialects of C.
 *
 * <p>Begin reading at {@link futharkc.core.codegen.kernel.KernelPrinter}, which prints one kernel
 * per launch.
 *
 * <ul>
 *   <li>Text of a kernel: {@code KernelCode} (statements), {@code KernelExprs} (expressions),
 *       {@code KernelTypes}.
 *   <li>Shared text: {@code KernelFunctions} (callees), {@code KernelLibrary} (sections of {@code
 *       library.c}), {@link futharkc.core.codegen.kernel.Dialect} (what a backend gives).
 *   <li>Failures: {@code FailureTable}, {@code KernelFailures}.
 *   <li>Compilation units: {@code KernelModules}.
 * </ul>
 *
 * <p>All differences between the dialects are in the implementations of {@code Dialect}. A printer
 * decides nothing: optimisations are passes.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.codegen.kernel;
