/**
 * The code that backends share: lowering to the imperative language, printers of Java and kernels,
 * and executables.
 */
module futharkc.core.codegen {
  requires transitive futharkc.core.ir;
  requires transitive futharkc.core.runtime;
  requires java.compiler;
  requires jdk.compiler;
  requires static org.jspecify;

  exports futharkc.core.codegen;
  exports futharkc.core.codegen.binding;
  exports futharkc.core.codegen.java;
  exports futharkc.core.codegen.kernel;
  exports futharkc.core.codegen.lower.gpu;
  exports futharkc.core.codegen.lower.multicore;
  exports futharkc.core.codegen.product;

  provides futharkc.core.ir.spi.Pass with
      futharkc.core.codegen.lower.gpu.LowerGpuPass,
      futharkc.core.codegen.lower.multicore.LowerMulticorePass,
      futharkc.core.codegen.lower.multicore.LowerSequentialPass;
}
