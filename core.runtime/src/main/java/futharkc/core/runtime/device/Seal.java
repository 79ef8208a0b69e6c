package futharkc.core.runtime.device;

import futharkc.core.runtime.device.KernelSource.KernelDeclaration;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A last line with the checksum of all that is before it, and of what kernels there should be, for
 * binaries that users keep and that drivers load unseen: PoCL goes out of its memory on one that
 * was cut off, and on another program's, whose kernels have other parameters. It is a comment in
 * PTX, which some drivers' binaries are.
 */
final class Seal {
  private static final String FORMAT = "\n//futharkc:%08x\n";
  private static final int LENGTH = bytes(0).length;

  private Seal() {}

  private static byte[] bytes(int checksum) {
    return FORMAT.formatted(checksum).getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] of(byte[] contents, int length, List<KernelDeclaration> kernels) {
    CRC32C crc = new CRC32C();
    crc.update(contents, 0, length);
    for (KernelDeclaration k : kernels) {
      String text = k.name() + Arrays.toString(k.parameters()) + k.shared();
      crc.update(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes((int) crc.getValue());
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
