package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A cache of kernel binaries on disk. Each file contains a binary, its whole key (device, driver,
 * options, source) and a checksum.
 *
 * <p>Files are created under a temporary name and renamed, so that processes can share them. A file
 * that is damaged, or has another key, counts as missing and is replaced. A folder has a size
 * limit; the least recently used files are deleted first.
 */
final class BinaryCache {
  private static final long MAGIC = 0x4655_5448_4b42_0001L;
  private static final int HEADER = Long.BYTES + 3 * Integer.BYTES;
  private static final long MAX_FOLDER_BYTES = 256L << 20;
  private static final String EXTENSION = ".kernels";

  private final Path place;
  private final boolean folder;
  private final long maxBytes;

  private BinaryCache(Path place, boolean folder, long maxBytes) {
    this.place = place;
    this.folder = folder;
    this.maxBytes = maxBytes;
  }

  /** Returns a cache of one binary in a file. */
  static BinaryCache inFile(Path file) {
    return new BinaryCache(file, false, Long.MAX_VALUE);
  }

  /** Returns a cache of many binaries in an existing folder. */
  static BinaryCache inFolder(Path folder) {
    return inFolder(folder, MAX_FOLDER_BYTES);
  }

  static BinaryCache inFolder(Path folder, long maxBytes) {
    return new BinaryCache(folder, true, maxBytes);
  }

  /** Returns the binary of a key; null if there is none. */
  byte @Nullable [] find(byte[] key) {
    Path file = file(key);
    // Reading a special file, such as /dev/full, might never end.
    OpenOption[] options =
        folder ? new OpenOption[] {LinkOption.NOFOLLOW_LINKS} : new OpenOption[0];
    if (!Files.isRegularFile(file)) {
      return null;
    }
    try (InputStream in = Files.newInputStream(file, options)) {
      byte[] binary = binary(in.readAllBytes(), key);
      if (binary != null && folder) {
        touch(file);
      }
      return binary;
    } catch (IOException | OutOfMemoryError e) {
      return null;
    }
  }

  private static byte @Nullable [] binary(byte[] contents, byte[] key) {
    if (contents.length < HEADER + key.length) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(contents);
    long magic = in.getLong();
    int checksum = in.getInt();
    int keyLength = in.getInt();
    int length = in.getInt();
    if (magic != MAGIC
        || keyLength != key.length
        || length != contents.length - HEADER - keyLength
        || checksum != checksum(contents, Long.BYTES + Integer.BYTES)
        || !Arrays.equals(contents, HEADER, HEADER + keyLength, key, 0, keyLength)) {
      return null;
    }
    return Arrays.copyOfRange(contents, HEADER + keyLength, contents.length);
  }

  /** Returns the checksum of the contents from a position on. */
  private static int checksum(byte[] contents, int from) {
    CRC32 crc = new CRC32();
    crc.update(contents, from, contents.length - from);
    return (int) crc.getValue();
  }

  /** Updates the time of a file's last use, at most once an hour. */
  private static void touch(Path file) throws IOException {
    long now = System.currentTimeMillis();
    if (now - Files.getLastModifiedTime(file).toMillis() > 3_600_000) {
      Files.setLastModifiedTime(file, FileTime.fromMillis(now));
    }
  }

  /**
   * Stores a binary.
   *
   * @throws FutharkError if the user has named the file and it cannot be written; errors in a cache
   *     folder are ignored
   */
  void put(byte[] key, byte[] binary) {
    byte[] contents = new byte[HEADER + key.length + binary.length];
    ByteBuffer out = ByteBuffer.wrap(contents);
    out.putLong(MAGIC).putInt(0).putInt(key.length).putInt(binary.length).put(key).put(binary);
    out.putInt(Long.BYTES, checksum(contents, Long.BYTES + Integer.BYTES));
    try {
      write(file(key).toAbsolutePath(), contents);
      if (folder) {
        evict();
      }
    } catch (ClosedByInterruptException e) {
      // An interrupt ends the call soon.
    } catch (IOException e) {
      if (!folder) {
        throw new FutharkError("Cannot write the cache file " + place + ": " + reason(e));
      }
    }
  }

  /**
   * Returns the reason of an error. For some errors, the message of Java's file system is only the
   * file's name.
   */
  private static String reason(IOException e) {
    return e instanceof AccessDeniedException
        ? "its folder cannot be written to"
        : String.valueOf(e.getMessage());
  }

  private static void write(Path file, byte[] contents) throws IOException {
    Path parent = file.getParent();
    if (parent == null || Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException("it is not a regular file");
    }
    if (!Files.isDirectory(parent)) {
      throw new IOException("the folder " + parent + " does not exist");
    }
    Path temporary = Files.createTempFile(parent, ".new", ".tmp");
    try {
      Files.write(temporary, contents);
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private record Entry(Path file, long bytes, long used) {}

  private void evict() throws IOException {
    List<Entry> entries = new ArrayList<>();
    long bytes = 0;
    try (Stream<Path> files = Files.list(place)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        try {
          long size = Files.size(file);
          long used = Files.getLastModifiedTime(file).toMillis();
          if (name.endsWith(EXTENSION)) {
            bytes += size;
            entries.add(new Entry(file, size, used));
          } else if (name.endsWith(".tmp") && System.currentTimeMillis() - used > 86_400_000) {
            Files.deleteIfExists(file); // A killed process has left a file behind.
          }
        } catch (NoSuchFileException e) {
          // Another process has deleted the file.
        }
      }
    }
    entries.sort(Comparator.comparingLong(Entry::used));
    for (Entry entry : entries) {
      if (bytes <= maxBytes) {
        break;
      }
      Files.deleteIfExists(entry.file);
      bytes -= entry.bytes;
    }
  }

  private Path file(byte[] key) {
    if (!folder) {
      return place;
    }
    CRC32 crc = new CRC32();
    crc.update(key);
    long hash = 0xcbf29ce484222325L;
    for (byte b : key) {
      hash = (hash ^ b) * 0x100000001b3L;
    }
    return place.resolve(
        Long.toHexString(hash) + Integer.toHexString((int) crc.getValue()) + EXTENSION);
  }
}
