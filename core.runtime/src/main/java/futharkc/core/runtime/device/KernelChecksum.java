package futharkc.core.runtime.device;

import futharkc.core.runtime.device.KernelSource.KernelDeclaration;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A checksum, in the last line of a file, that identifies the program of the kernels in it.
 * Launching a kernel with wrong parameters could make a driver write to any address.
 *
 * <p>A seal is the checksum of the file's contents and of the kernels' declarations. It protects
 * binaries that drivers load without checks: PoCL crashes on a truncated one. A signature is the
 * checksum of the declarations only, for source and PTX, which users may edit and drivers check.
 * Both are comments in PTX, the binary format of some drivers.
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

  /**
   * Returns a text with a signature. The final zero byte of PTX is removed, since it would hide the
   * signature.
   */
  static byte[] sign(byte[] text, List<KernelDeclaration> kernels) {
    String signed = new String(text, StandardCharsets.UTF_8).replace("\0", "");
    return (signed + "\n" + signature(kernels) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Tests whether a text has the signature of other kernels. A text without signature is accepted:
   * users may write one themselves.
   */
  static boolean isOfOthers(byte[] text, List<KernelDeclaration> kernels) {
    String signature = signature(kernels);
    return new String(text, StandardCharsets.UTF_8)
        .lines()
        .map(String::strip)
        .anyMatch(l -> l.startsWith(SIGNATURE) && !l.equals(signature));
  }

  /** Returns the contents with a seal. */
  static byte[] put(byte[] contents, List<KernelDeclaration> kernels) {
    byte[] sealed = Arrays.copyOf(contents, contents.length + LENGTH);
    byte[] seal = of(contents, contents.length, kernels);
    System.arraycopy(seal, 0, sealed, contents.length, LENGTH);
    return sealed;
  }

  /** Returns the sealed contents; null if the seal is missing or wrong. */
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
