package futharkc.core.codegen.product;

import futharkc.core.codegen.Backend;
import futharkc.core.codegen.java.JavaEmitter;
import futharkc.core.codegen.kernel.Dialect;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.runtime.device.DeviceApi;
import java.util.List;

/**
 * What backends for devices do: host code in Java, kernels in a dialect of C.
 *
 * @param target what {@code --target} says, of GPU_IMP
 * @param dialect of the kernels
 * @param api the interface to the devices, with a constructor without parameters
 * @param extension of files of kernels
 * @param libraries what programs need of the backend and its native bindings
 */
public record DeviceTarget(
    Backend.Target target,
    Dialect dialect,
    Class<? extends DeviceApi> api,
    String extension,
    List<Library> libraries) {
  public DeviceTarget {
    if (target.rep() != Rep.GPU_IMP) throw new IllegalArgumentException(target.toString());
    libraries = List.copyOf(libraries);
  }

  /** As {@link Backend#compile}. */
  public Backend.Product compile(Ir program, String name) {
    if (!(program instanceof ImperativeProgram imp)) {
      throw new IllegalArgumentException(
          "the target is for imperative programs, not " + program.rep());
    }
    JavaEmitter.WithKernels made =
        JavaEmitter.emit(imp, name, target.name(), dialect, api.getName());
    return new JavaProduct(
        made.java(),
        List.of(new Backend.Source("kernels." + extension, made.kernels())),
        libraries);
  }
}
