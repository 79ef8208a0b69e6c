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
 * The kernels of a program, as its compiler made them.
 *
 * @param text in the language of the device's interface; it takes macros
 * @param options for the compiler, such as {@code -cl-std=CL1.2}
 * @param kernels those that the text defines
 * @param failures what can go wrong in them: see {@link FailureWord}
 * @param doubles which kernel computes in double precision, in words; null if none does
 * @param portable a form for devices whose machine cannot compile the text; null if there is none
 * @param modules parts of the text that are compiled by themselves, when one of their kernels is
 *     first launched: where each piece of such a part begins and ends in the text. Without any, the
 *     text is one
 */
public record KernelSource(
    String text,
    List<String> options,
    List<KernelDeclaration> kernels,
    List<Failure> failures,
    @Nullable String doubles,
    @Nullable Portable portable,
    List<int[]> modules) {

  /** In one module, without double precision. */
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

  /** The text for a file, with a signature by which another program knows it is not for it. */
  public byte[] signed() {
    return KernelChecksum.sign(text.getBytes(StandardCharsets.UTF_8), kernels);
  }

  /** The text of a module. */
  String text(int module) {
    int[] pieces = modules.get(module);
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < pieces.length; i += 2) {
      all.append(text, pieces[i], pieces[i + 1]);
    }
    return all.toString();
  }

  /**
   * A kernel.
   *
   * @param name as in the text
   * @param provenance where it comes from in the program's source, for reports
   * @param parameters the size of each parameter in bytes; see {@link KernelArguments}. Under
   *     OpenCL, a kernel with shared memory has one more at the end, the pointer to that
   * @param shared whether it takes shared memory of a size that a launch says
   * @param module the position of its module
   */
  public record KernelDeclaration(
      String name, String provenance, int[] parameters, boolean shared, int module) {
    /** In the only module. */
    public KernelDeclaration(String name, String provenance, int[] parameters, boolean shared) {
      this(name, provenance, parameters, shared, 0);
    }
  }

  /**
   * What can go wrong in a kernel.
   *
   * @param pieces the message, in pieces with an argument between each two
   * @param arguments the arguments' types: an integer or a boolean is written as 64 bits, extended
   *     in any way, a float as its own bits
   * @param backtrace as in {@link FutharkError}
   */
  public record Failure(List<String> pieces, List<ElemType> arguments, String backtrace) {
    public Failure {
      pieces = List.copyOf(pieces);
      arguments = List.copyOf(arguments);
    }

    /** The error, given the arguments' bits. */
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
   * Kernels that a driver can compile by itself, such as PTX. An executable has them in a file of
   * its own: lines {@code NAME=INT} for the macros, an empty line, and the text.
   *
   * @param text what to load
   * @param macros those that were defined; others cannot be
   */
  public record Portable(String text, Map<String, Long> macros) {
    /** The file, which is next to the program's classes. */
    public static final String FILE = "kernels.portable";

    /** The contents of such a file. */
    public byte[] contents() {
      StringBuilder file = new StringBuilder();
      new TreeMap<>(macros).forEach((name, value) -> file.append(name + "=" + value + "\n"));
      return file.append('\n').append(text).toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * What a program brings along.
     *
     * @param program one of its classes
     * @return null if it brings nothing
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
