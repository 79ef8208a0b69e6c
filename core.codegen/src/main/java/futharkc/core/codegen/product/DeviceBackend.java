package futharkc.core.codegen.product;

import futharkc.core.codegen.Backend;
import futharkc.core.ir.Ir;
import java.util.List;

/** A backend with one target, for devices: backends differ in what that target says. */
public abstract class DeviceBackend implements Backend {
  private final DeviceTarget target;

  /** With its target. */
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
