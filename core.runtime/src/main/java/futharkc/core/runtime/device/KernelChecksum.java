package futharkc.core.runtime.device;

import futharkc.core.runtime.device.KernelSource.KernelDeclaration;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A last line that tells one program's kernels from another's in files that users keep: to launch
 * kernels with parameters that they do not have makes a driver write anywhere.
 *
 * <p>A seal has the checksum of all that is before it, and of what kernels there should be, for
 * binaries that drivers load unseen: PoCL goes out of its memory on one that was cut off. A
 * signature has that of the kernels alone, for source and PTX, which users may edit and drivers
 * check. Both are comments in PTX, which some drivers' binaries are.
 */
final class KernelChecksum {
  private static final String FORMAT = "\n//futharkc:%08x\n";
  private static final int LENGTH = bytes(0).length;
  private static final String SIGNATURE = "//futharkc kernels:";

  private KernelChecksum() {}

  private static byte[] bytes(int checksum) {
    return FORMAT.formatted(checksum).getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] of(byte[] contents, int length, List<KernelDeclaration> kernels) {
    CRC32C crc = new CRC32C();
    crc.update(contents, 0, length);
    add(kernels, crc);
    return bytes((int) crc.getValue());
  }

  private static void add(List<KernelDeclaration> kernels, CRC32C crc) {
    for (KernelDeclaration k : kernels) {
      String text = k.name() + Arrays.toString(k.parameters()) + k.shared();
      crc.update(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String signature(List<KernelDeclaration> kernels) {
    CRC32C crc = new CRC32C();
    add(kernels, crc);
    return SIGNATURE + "%08x".formatted((int) crc.getValue());
  }

  /** Text with a signature; without the zero that ends PTX, which would hide it. */
  static byte[] sign(byte[] text, List<KernelDeclaration> kernels) {
    String signed = new String(text, StandardCharsets.UTF_8).replace("\0", "");
    return (signed + "\n" + signature(kernels) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Whether text has the signature of other kernels. What users wrote themselves has none. */
  static boolean isOfOthers(byte[] text, List<KernelDeclaration> kernels) {
    String signature = signature(kernels);
    return new String(text, StandardCharsets.UTF_8)
        .lines()
        .map(String::strip)
        .anyMatch(l -> l.startsWith(SIGNATURE) && !l.equals(signature));
  }

  /** The contents with their seal. */
  static byte[] put(byte[] contents, List<KernelDeclaration> kernels) {
    byte[] sealed = Arrays.copyOf(contents, contents.length + LENGTH);
    byte[] seal = of(contents, contents.length, kernels);
    System.arraycopy(seal, 0, sealed, contents.length, LENGTH);
    return sealed;
  }

  /** What was sealed; null if there is no seal, or it is that of something else. */
  static byte @Nullable [] take(byte[] sealed, List<KernelDeclaration> kernels) {
    int length = sealed.length - LENGTH;
    if (length < 0) {
      return null;
    }
    byte[] seal = of(sealed, length, kernels);
    return Arrays.equals(sealed, length, sealed.length, seal, 0, LENGTH)
        ? Arrays.copyOf(sealed, length)
        : null;
  }
}
