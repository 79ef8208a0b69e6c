package futharkc.core.runtime.device;

import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The kernels of a program, as the compiler has generated them.
 *
 * @param text the source, in the language of the device's interface, with macros
 * @param options the compiler options, such as {@code -cl-std=CL1.2}
 * @param kernels the declarations of the kernels in the text
 * @param failures the possible failures: see {@link FailureWord}
 * @param doubles the kernel that computes in double precision, in words; null if there is none
 * @param portable a form for machines that cannot compile the text; null if there is none
 * @param modules the separately compiled parts of the text: start and end of each section of each
 *     module; without any, the whole text is one module
 */
public record KernelSource(
    String text,
    List<String> options,
    List<KernelDeclaration> kernels,
    List<Failure> failures,
    @Nullable String doubles,
    @Nullable Portable portable,
    List<int[]> modules) {

  /** Creates kernels in one module, without double precision. */
  public KernelSource(
      String text,
      List<String> options,
      List<KernelDeclaration> kernels,
      List<Failure> failures,
      @Nullable Portable portable) {
    this(text, options, kernels, failures, null, portable, List.of());
  }

  /** Copies the lists. */
  public KernelSource {
    options = List.copyOf(options);
    kernels = List.copyOf(kernels);
    failures = List.copyOf(failures);
    modules = List.copyOf(modules);
  }

  /** Returns the text with a signature, by which other programs reject it. */
  public byte[] signed() {
    return KernelChecksum.sign(text.getBytes(StandardCharsets.UTF_8), kernels);
  }

  /** Returns the text of a module. */
  String text(int module) {
    int[] pieces = modules.get(module);
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < pieces.length; i += 2) {
      all.append(text, pieces[i], pieces[i + 1]);
    }
    return all.toString();
  }

  /**
   * The declaration of a kernel.
   *
   * @param name the name in the text
   * @param provenance the source position of the kernel, for reports
   * @param parameters the size of each parameter in bytes; see {@link KernelArguments}. Under
   *     OpenCL, a kernel with shared memory has one more parameter, its pointer, at the end
   * @param shared true if the kernel has dynamic shared memory
   * @param module the position of the module
   */
  public record KernelDeclaration(
      String name, String provenance, int[] parameters, boolean shared, int module) {
    /** Creates the declaration of a kernel in the only module. */
    public KernelDeclaration(String name, String provenance, int[] parameters, boolean shared) {
      this(name, provenance, parameters, shared, 0);
    }
  }

  /**
   * A possible failure of a kernel.
   *
   * @param pieces the message, as strings with an argument between each two
   * @param arguments the types of the arguments: an integer or boolean is extended to 64 bits, a
   *     float is given by its bits
   * @param backtrace the source positions: see {@link FutharkError}
   */
  public record Failure(List<String> pieces, List<ElemType> arguments, String backtrace) {
    public Failure {
      pieces = List.copyOf(pieces);
      arguments = List.copyOf(arguments);
    }

    /** Returns the error with the given bits of its arguments. */
    FutharkError error(long[] bits) {
      StringBuilder message = new StringBuilder(pieces.get(0));
      for (int i = 1; i < pieces.size(); i++) {
        message.append(text(arguments.get(i - 1), bits[i - 1])).append(pieces.get(i));
      }
      return new FutharkError(message.toString(), backtrace);
    }

    private static String text(ElemType type, long bits) {
      return switch (type) {
        case I8 -> Byte.toString((byte) bits);
        case I16 -> Short.toString((short) bits);
        case I32 -> Integer.toString((int) bits);
        case I64 -> Long.toString(bits);
        case U8 -> Long.toString(bits & 0xff);
        case U16 -> Long.toString(bits & 0xffff);
        case U32 -> Integer.toUnsignedString((int) bits);
        case U64 -> Long.toUnsignedString(bits);
        case F16 -> Float.toString(Float.float16ToFloat((short) bits));
        case F32 -> Float.toString(Float.intBitsToFloat((int) bits));
        case F64 -> Double.toString(Double.longBitsToDouble(bits));
        case BOOL -> Boolean.toString((bits & 1) != 0);
        case UNIT -> "()";
      };
    }
  }

  /**
   * Kernels that a driver can compile itself, such as PTX. An executable has them in a separate
   * file: lines {@code NAME=INT} for the macros, an empty line, and the text.
   *
   * @param text the kernels
   * @param macros the macros with the values that the text was compiled with
   */
  public record Portable(String text, Map<String, Long> macros) {
    /** The name of the file, in the folder of the program's classes. */
    public static final String FILE = "kernels.portable";

    /** Returns the contents of the file. */
    public byte[] contents() {
      StringBuilder file = new StringBuilder();
      new TreeMap<>(macros).forEach((name, value) -> file.append(name + "=" + value + "\n"));
      return file.append('\n').append(text).toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the portable kernels of a program.
     *
     * @param program one of the program's classes
     * @return null if the program has none
     */
    public static @Nullable Portable of(Class<?> program) {
      String file;
      try (InputStream in = program.getResourceAsStream(FILE)) {
        if (in == null) {
          return null;
        }
        file = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        return null;
      }
      Map<String, Long> macros = new TreeMap<>();
      int at = 0;
      while (file.charAt(at) != '\n') {
        int end = file.indexOf('\n', at);
        int equals = file.indexOf('=', at);
        macros.put(file.substring(at, equals), Long.parseLong(file.substring(equals + 1, end)));
        at = end + 1;
      }
      return new Portable(file.substring(at + 1), macros);
    }
  }
}
