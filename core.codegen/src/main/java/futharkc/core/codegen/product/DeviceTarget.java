package futharkc.core.codegen.product;

import futharkc.core.codegen.Backend;
import futharkc.core.codegen.java.JavaEmitter;
import futharkc.core.codegen.kernel.Dialect;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.runtime.device.DeviceApi;
import futharkc.core.runtime.device.KernelSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What backends for devices do: host code in Java, kernels in a dialect of C.
 *
 * @param target what {@code --target} says, of GPU_IMP
 * @param dialect of the kernels
 * @param api the interface to the devices, with a constructor without parameters
 * @param extension of files of kernels
 * @param libraries what programs need of the backend and its native bindings
 * @param portable makes what executables bring along for machines that cannot compile kernels
 */
public record DeviceTarget(
    Backend.Target target,
    Dialect dialect,
    Class<? extends DeviceApi> api,
    String extension,
    List<Library> libraries,
    PortableKernels portable) {
  /** Makes kernels that a driver can compile by itself. */
  public interface PortableKernels {
    /** None at all. */
    PortableKernels NONE = (source, options) -> null;

    /**
     * Compiles kernels for any device.
     *
     * @param options with the macros
     * @return null if that is not possible here
     */
    @Nullable String compile(String source, List<String> options);
  }

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
    return JavaProduct.onDevice(
        made.java(),
        new Backend.Source("kernels." + extension, made.kernels()),
        libraries,
        () -> resources(made));
  }

  private Map<String, byte[]> resources(JavaEmitter.WithKernels made) {
    Map<String, Long> macros = made.macros();
    if (macros == null) return Map.of();
    List<String> options = new ArrayList<>(dialect.options());
    macros.forEach((name, value) -> options.add("-D" + name + "=" + value));
    String text = portable.compile(made.kernels(), options);
    return text == null
        ? Map.of()
        : Map.of(KernelSource.Portable.FILE, new KernelSource.Portable(text, macros).contents());
  }
}
