/** Tests across modules: the architecture, whole programs, and plugins. */
module futharkc.tests {
  requires futharkc.core.ir;
  requires futharkc.core.language;
  requires futharkc.core.runtime;
  requires futharkc.core.codegen;
  requires futharkc.core.driver;
  requires futharkc.harness;
  requires futharkc.cli;
  requires futharkc.pass.simplify;
  requires futharkc.pass.sequentialise;
  requires futharkc.pass.inlining;
  requires futharkc.pass.flattening;
  requires futharkc.pass.fusion;
  requires futharkc.pass.differentiation;
  requires futharkc.pass.threadloops;
  requires futharkc.pass.expandallocations;
  requires futharkc.pass.writefusion;
  requires futharkc.pass.parallelise;
  requires futharkc.pass.allocate;
  requires futharkc.pass.doublebuffer;
  requires futharkc.pass.memorymerge;
  requires futharkc.pass.gputhreads;
  requires futharkc.pass.hoist;
  requires futharkc.pass.sink;
  requires futharkc.pass.migration;
  requires futharkc.pass.mergegpubodies;
  requires futharkc.pass.staging;
  requires futharkc.pass.contraction;
  requires futharkc.pass.tiling;
  requires futharkc.pass.loops;
  requires futharkc.backend.interpreter;
  requires futharkc.backend.multicore;
  requires futharkc.backend.cuda;
  requires futharkc.backend.opencl;
  requires java.compiler;
  requires jdk.compiler;
  requires static org.jspecify;
}
