package futharkc.core.runtime.device;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A last line with the checksum of all that is before it, for binaries that users keep and that
 * drivers load unseen: PoCL goes out of its memory on one that was cut off. It is a comment in PTX,
 * which some drivers' binaries are.
 */
final class Seal {
  private static final String FORMAT = "\n//futharkc:%08x\n";
  private static final int LENGTH = bytes(0).length;

  private Seal() {}

  private static byte[] bytes(int checksum) {
    return FORMAT.formatted(checksum).getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] of(byte[] contents, int length) {
    CRC32C crc = new CRC32C();
    crc.update(contents, 0, length);
    return bytes((int) crc.getValue());
  }

  /** The contents with their seal. */
  static byte[] put(byte[] contents) {
    byte[] sealed = Arrays.copyOf(contents, contents.length + LENGTH);
    System.arraycopy(of(contents, contents.length), 0, sealed, contents.length, LENGTH);
    return sealed;
  }

  /** What was sealed; null if there is no seal, or it is that of something else. */
  static byte @Nullable [] take(byte[] sealed) {
    int length = sealed.length - LENGTH;
    boolean isWhole =
        length >= 0 && Arrays.equals(sealed, length, sealed.length, of(sealed, length), 0, LENGTH);
    return isWhole ? Arrays.copyOf(sealed, length) : null;
  }
}
