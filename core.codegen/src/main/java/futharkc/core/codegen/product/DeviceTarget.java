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
 * A device target: host code in Java, and kernels in a dialect of C.
 *
 * @param target the value of {@code --target}, for programs in GPU_IMP
 * @param dialect the language of the kernels
 * @param api the device interface, with a constructor without parameters
 * @param extension the file name extension of kernels
 * @param libraries the libraries of the backend and its native bindings that programs need
 * @param portable the compiler of kernels that executables contain for machines without a kernel
 *     compiler
 */
public record DeviceTarget(
    Backend.Target target,
    Dialect dialect,
    Class<? extends DeviceApi> api,
    String extension,
    List<Library> libraries,
    PortableKernels portable) {
  /** A compiler from kernel source to a form that a driver compiles for any device. */
  public interface PortableKernels {
    /** A compiler that never produces portable kernels. */
    PortableKernels NONE = (source, options) -> null;

    /**
     * Compiles kernels for any device.
     *
     * @param options the compiler options, including definitions of macros
     * @return the compiled kernels; null if this machine cannot compile them
     */
    @Nullable String compile(String source, List<String> options);
  }

  public DeviceTarget {
    if (target.rep() != Rep.GPU_IMP) {
      throw new IllegalArgumentException(target.toString());
    }
    libraries = List.copyOf(libraries);
  }

  /** Compiles a program as {@link Backend#compile} does. */
  public Backend.Product compile(Ir program, String name) {
    if (!(program instanceof ImperativeProgram imp)) {
      throw new IllegalArgumentException(
          "the target is for imperative programs, not " + program.rep());
    }
    JavaEmitter.WithKernels made =
        JavaEmitter.emit(imp, name, target.name(), target.machine(), dialect, api.getName());
    return JavaProduct.onDevice(
        made.java(),
        new Backend.Source("kernels." + extension, made.kernels()),
        libraries,
        () -> resources(made),
        api.getName());
  }

  private Map<String, byte[]> resources(JavaEmitter.WithKernels made) {
    Map<String, Long> macros = made.macros();
    if (macros == null) {
      return Map.of();
    }
    List<String> options = new ArrayList<>(dialect.options());
    macros.forEach((name, value) -> options.add("-D" + name + "=" + value));
    String text = portable.compile(made.kernels(), options);
    return text == null
        ? Map.of()
        : Map.of(KernelSource.Portable.FILE, new KernelSource.Portable(text, macros).contents());
  }
}
