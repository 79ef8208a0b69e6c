package futharkc.core.runtime;

/** Operations on blocks for generated code. */
public final class Blocks {
  /** Empty blocks: the initial values of block variables. */
  public static final byte[] BYTES = {};

  public static final short[] SHORTS = {};
  public static final int[] INTS = {};
  public static final long[] LONGS = {};
  public static final float[] FLOATS = {};
  public static final double[] DOUBLES = {};
  public static final boolean[] BOOLEANS = {};

  private Blocks() {}

  /**
   * Converts a loop bound to {@code int}; bounds outside the range of {@code int} become its
   * smallest or largest value.
   */
  public static int saturated(long i) {
    return (int) Math.max(Integer.MIN_VALUE, Math.min(i, Integer.MAX_VALUE));
  }

  /**
   * Returns the error that an argument of an entry point has the wrong size.
   *
   * @param argument the number of the argument, from 1
   * @param name the name of the parameter
   * @param shape the shape of the argument
   * @param dimension the dimension with the wrong size, from 0
   * @param needed the expected size
   */
  public static FutharkError badSize(
      int argument, String name, long[] shape, int dimension, long needed) {
    return new FutharkError(
        "Entry point arguments have invalid sizes: argument "
            + argument
            + (name.isEmpty() ? "" : " (" + name + ")")
            + " has shape "
            + java.util.Arrays.toString(shape)
            + ", but "
            + needed
            + " is needed in dimension "
            + dimension
            + ".");
  }

  /** A reader of the characters of several strings. */
  private static final class Chars {
    private final String[] parts;
    private int part;
    private int at;

    Chars(String[] parts) {
      this.parts = parts;
    }

    int next() {
      if (at == parts[part].length()) {
        part++;
        at = 0;
      }
      return parts[part].charAt(at++);
    }

    int nextInt() {
      int low = next();
      return low | next() << 16;
    }

    long nextLong() {
      long low = nextInt() & 0xffffffffL;
      return low | (long) nextInt() << 32;
    }
  }

  /** Decodes a constant array of i8. */
  public static byte[] decodeI8(int n, String... parts) {
    Chars c = new Chars(parts);
    byte[] a = new byte[n];
    for (int i = 0; i < n; i++) {
      a[i] = (byte) c.next();
    }
    return a;
  }

  /** Decodes a constant array of bool. */
  public static boolean[] decodeBOOL(int n, String... parts) {
    Chars c = new Chars(parts);
    boolean[] a = new boolean[n];
    for (int i = 0; i < n; i++) {
      a[i] = c.next() != 0;
    }
    return a;
  }

  /** Decodes a constant array of i16. */
  public static short[] decodeI16(int n, String... parts) {
    Chars c = new Chars(parts);
    short[] a = new short[n];
    for (int i = 0; i < n; i++) {
      a[i] = (short) c.next();
    }
    return a;
  }

  /** Decodes a constant array of f16. */
  public static short[] decodeF16(int n, String... parts) {
    Chars c = new Chars(parts);
    short[] a = new short[n];
    for (int i = 0; i < n; i++) {
      a[i] = (short) c.next();
    }
    return a;
  }

  /** Decodes a constant array of i32. */
  public static int[] decodeI32(int n, String... parts) {
    Chars c = new Chars(parts);
    int[] a = new int[n];
    for (int i = 0; i < n; i++) {
      a[i] = c.nextInt();
    }
    return a;
  }

  /** Decodes a constant array of i64. */
  public static long[] decodeI64(int n, String... parts) {
    Chars c = new Chars(parts);
    long[] a = new long[n];
    for (int i = 0; i < n; i++) {
      a[i] = c.nextLong();
    }
    return a;
  }

  /** Decodes a constant array of f32. */
  public static float[] decodeF32(int n, String... parts) {
    Chars c = new Chars(parts);
    float[] a = new float[n];
    for (int i = 0; i < n; i++) {
      a[i] = Float.intBitsToFloat(c.nextInt());
    }
    return a;
  }

  /** Decodes a constant array of f64. */
  public static double[] decodeF64(int n, String... parts) {
    Chars c = new Chars(parts);
    double[] a = new double[n];
    for (int i = 0; i < n; i++) {
      a[i] = Double.longBitsToDouble(c.nextLong());
    }
    return a;
  }
}
