package futharkc.core.runtime.device;

/** Transfers arrays of booleans, which are bytes of 0 and 1 on devices. */
final class Booleans {
  /** Elements that are transferred at a time. */
  private static final int PIECE = 1 << 20;

  private Booleans() {}

  static void read(Driver driver, long block, long from, boolean[] target, int at, int count) {
    byte[] bytes = new byte[Math.min(count, PIECE)];
    for (int done = 0; done < count; done += PIECE) {
      int n = Math.min(count - done, PIECE);
      driver.read(block, from + done, bytes, 0, n);
      for (int i = 0; i < n; i++) {
        target[at + done + i] = bytes[i] != 0;
      }
    }
  }

  static void write(Driver driver, long block, long to, boolean[] source, int at, int count) {
    byte[] bytes = new byte[Math.min(count, PIECE)];
    for (int done = 0; done < count; done += PIECE) {
      int n = Math.min(count - done, PIECE);
      for (int i = 0; i < n; i++) {
        bytes[i] = (byte) (source[at + done + i] ? 1 : 0);
      }
      driver.write(block, to + done, bytes, 0, n);
    }
  }
}
