package futharkc.core.codegen.product;

import futharkc.core.codegen.Backend;
import futharkc.core.ir.Ir;
import java.util.List;

/** A backend with one device target. Backends differ only in that target. */
public abstract class DeviceBackend implements Backend {
  private final DeviceTarget target;

  /** Creates a backend for a target. */
  protected DeviceBackend(DeviceTarget target) {
    this.target = target;
  }

  @Override
  public final List<Target> targets() {
    return List.of(target.target());
  }

  @Override
  public final int apiLevel() {
    return 1;
  }

  @Override
  public final Product compile(Ir program, String name, Target wanted) {
    return target.compile(program, name);
  }
}
