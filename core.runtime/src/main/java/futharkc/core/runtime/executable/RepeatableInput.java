package futharkc.core.runtime.executable;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Standard input that a further process can read again. A file is opened again. Other input is
 * recorded, up to a limit.
 */
final class RepeatableInput extends InputStream {
  /** The largest recorded input in bytes. */
  private static final int MOST = 16 << 20;

  /** Standard input as a file. Opening it begins at its first byte. */
  private static final Path FILE = Path.of("/proc/self/fd/0");

  /** The bytes read so far; null if the input is a file or exceeds the limit. */
  private @Nullable ByteArrayOutputStream recorded;

  private final InputStream in;
  private final boolean isFile;

  private RepeatableInput(InputStream in, boolean isFile) {
    this.in = in;
    this.isFile = isFile;
    recorded = isFile ? null : new ByteArrayOutputStream();
  }

  /** Returns the standard input of this process. */
  static RepeatableInput standard() {
    return new RepeatableInput(new FileInputStream(FileDescriptor.in), Files.isRegularFile(FILE));
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = in.read(bytes, offset, length);
    ByteArrayOutputStream record = recorded;
    if (record != null && count > 0) {
      if (record.size() + count > MOST) {
        recorded = null;
      } else {
        record.write(bytes, offset, count);
      }
    }
    return count;
  }

  /**
   * Returns a file that another process can read instead. {@link #discard} deletes it if it is a
   * copy.
   *
   * @param folder the folder for a copy
   * @return null if the input exceeds the limit
   * @throws IOException if a copy cannot be written
   */
  @Nullable Path file(Path folder) throws IOException {
    ByteArrayOutputStream record = recorded;
    if (isFile || record == null) {
      return isFile ? FILE : null;
    }
    Path copy = Files.createTempFile(folder, "input", ".tmp");
    Files.write(copy, record.toByteArray());
    return copy;
  }

  /** Deletes a file of {@link #file} if it is a copy. Processes that have opened it keep it. */
  void discard(Path file) throws IOException {
    if (!isFile) {
      Files.deleteIfExists(file);
    }
  }
}
