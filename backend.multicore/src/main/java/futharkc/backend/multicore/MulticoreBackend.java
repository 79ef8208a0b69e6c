package futharkc.backend.multicore;

import futharkc.core.codegen.Backend;
import futharkc.core.codegen.java.HotSpot;
import futharkc.core.codegen.java.JavaEmitter;
import futharkc.core.codegen.product.JavaProduct;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.List;

/**
 * The backend for multicore CPUs and single threads. It generates Java, which is loaded into this
 * process or packed into an executable.
 */
public final class MulticoreBackend implements Backend {
  /** Creates the backend; called by {@code ServiceLoader}. */
  public MulticoreBackend() {}

  @Override
  public List<Target> targets() {
    return List.of(
        new Target(
            "multicore",
            Rep.MC_IMP,
            "Java with parallel streams on all CPU cores",
            HotSpot.machine()),
        new Target(
            "c",
            Rep.SEQ_IMP,
            "Java on one thread (the name is the one that Futhark's tools expect)",
            HotSpot.machine()));
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public Product compile(Ir program, String name, Target target) {
    if (!(program instanceof ImperativeProgram imp)) {
      throw new IllegalArgumentException(
          "the target is for imperative programs, not " + program.rep());
    }
    return new JavaProduct(
        JavaEmitter.emit(imp, name, target.name(), target.machine()), List.of(), List.of());
  }
}
