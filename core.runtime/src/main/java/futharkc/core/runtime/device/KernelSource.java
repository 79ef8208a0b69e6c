package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The kernels of a program, as its compiler made them.
 *
 * @param text in the language of the device's interface; it takes macros
 * @param options for the compiler, such as {@code -cl-std=CL1.2}
 * @param kernels those that the text defines
 * @param failures what can go wrong in them: a kernel that fails writes the position here
 * @param portable a form for devices whose machine cannot compile the text; null if there is none
 */
public record KernelSource(
    String text,
    List<String> options,
    List<KernelDeclaration> kernels,
    List<Failure> failures,
    @Nullable Portable portable) {

  /** Copies the lists. */
  public KernelSource {
    options = List.copyOf(options);
    kernels = List.copyOf(kernels);
    failures = List.copyOf(failures);
  }

  /**
   * A kernel.
   *
   * @param name as in the text
   * @param provenance where it comes from in the program's source, for reports
   * @param parameters the size of each parameter in bytes; see {@link KernelArguments}. Under
   *     OpenCL, a kernel with shared memory has one more at the end, the pointer to that
   * @param shared whether it takes shared memory of a size that a launch says
   */
  public record KernelDeclaration(
      String name, String provenance, int[] parameters, boolean shared) {}

  /**
   * What can go wrong in a kernel.
   *
   * @param pieces the message, in pieces with an argument between each two
   * @param floating for each argument whether its 64 bits are those of an {@code f64}; else an
   *     {@code i64}
   * @param backtrace as in {@link FutharkError}
   */
  public record Failure(List<String> pieces, boolean[] floating, String backtrace) {
    /** The error, given the arguments' bits. */
    FutharkError error(long[] arguments) {
      StringBuilder message = new StringBuilder(pieces.get(0));
      for (int i = 1; i < pieces.size(); i++) {
        long bits = arguments[i - 1];
        message.append(
            floating[i - 1] ? Double.toString(Double.longBitsToDouble(bits)) : Long.toString(bits));
        message.append(pieces.get(i));
      }
      return new FutharkError(message.toString(), backtrace);
    }
  }

  /**
   * Kernels that a driver can compile by itself, such as PTX.
   *
   * @param text what to load
   * @param macros those that were defined; others cannot be
   */
  public record Portable(String text, Map<String, Long> macros) {}
}
