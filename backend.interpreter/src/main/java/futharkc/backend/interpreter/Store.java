package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Memory for elements of one type, in the value format of {@link ScalarOps}. */
abstract sealed class Store
    permits Store.Bytes,
        Store.Booleans,
        Store.Shorts,
        Store.Ints,
        Store.Floats,
        Store.Longs,
        Store.Doubles,
        Store.Units,
        Store.ByteView,
        ActiveStore,
        TaggedStore,
        RaceCheckedStore {
  /**
   * Returns the Java array with the elements. Two stores with the same Java array are the same
   * memory.
   */
  abstract Object base();

  /** Returns the number of elements. */
  abstract long size();

  /**
   * Returns an element.
   *
   * @param i the position, in range
   */
  abstract long get(int i);

  abstract void set(int i, long v);

  /** Returns the derivatives of an element; null if the element is constant. */
  Num.@Nullable Derived derived(int i) {
    return null;
  }

  /** Sets an element and its derivatives. */
  void put(int i, Num n) {
    if (n instanceof Num.Derived) {
      throw new Fault("a scalar with a derivative is stored where only values are kept");
    }
    set(i, n.bits());
  }

  /** Returns new memory for elements of the same type. */
  abstract Store like(long size);

  /** Tests whether elements consist of their values only, without derivatives or checks. */
  final boolean isPlain() {
    return !(this instanceof RaceCheckedStore
        || this instanceof ActiveStore
        || this instanceof TaggedStore);
  }

  /**
   * Copies elements from another store. The ranges may overlap if both stores are the same memory.
   */
  void copy(int to, Store given, int at, int count) {
    Store read = given instanceof TaggedStore t ? t.read(at, count) : given;
    Store from = read instanceof RaceCheckedStore w ? w.unwatched() : read;
    if (from instanceof ActiveStore) {
      throw new Fault("a scalar with a derivative is stored where only values are kept");
    }
    if (getClass() == from.getClass() && !(this instanceof ByteView)) {
      System.arraycopy(from.base(), at, base(), to, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      set(to + i, from.get(at + i));
    }
  }

  /**
   * Returns new memory with unspecified contents. The contents are unlikely to equal correct values
   * by chance.
   *
   * @throws futharkc.core.runtime.FutharkError if the size exceeds that of a Java array
   */
  static Store scratch(PrimType t, long size) {
    int n = Limits.length(size, t.bytes());
    return switch (t) {
      case I8 -> {
        byte[] a = new byte[n];
        Arrays.fill(a, (byte) 0x5d);
        yield new Bytes(a);
      }
      case BOOL -> {
        boolean[] a = new boolean[n];
        Arrays.fill(a, true);
        yield new Booleans(a);
      }
      case I16 -> {
        short[] a = new short[n];
        Arrays.fill(a, (short) 0x5d5d);
        yield new Shorts(a);
      }
      case F16 -> {
        short[] a = new short[n];
        Arrays.fill(a, (short) 0x7e5d);
        yield new Shorts(a);
      }
      case I32 -> {
        int[] a = new int[n];
        Arrays.fill(a, 0x5d5d5d5d);
        yield new Ints(a);
      }
      case F32 -> {
        float[] a = new float[n];
        Arrays.fill(a, Float.NaN);
        yield new Floats(a);
      }
      case I64 -> {
        long[] a = new long[n];
        Arrays.fill(a, 0x5d5d5d5d5d5d5d5dL);
        yield new Longs(a);
      }
      case F64 -> {
        double[] a = new double[n];
        Arrays.fill(a, Double.NaN);
        yield new Doubles(a);
      }
      case UNIT -> new Units(n);
    };
  }

  /** Returns a store over an existing Java array of the type's carrier. */
  static Store of(PrimType t, Object array) {
    return switch (t) {
      case I8 -> new Bytes((byte[]) array);
      case BOOL -> new Booleans((boolean[]) array);
      case I16, F16 -> new Shorts((short[]) array);
      case I32 -> new Ints((int[]) array);
      case F32 -> new Floats((float[]) array);
      case I64 -> new Longs((long[]) array);
      case F64 -> new Doubles((double[]) array);
      case UNIT -> throw new IllegalArgumentException("arrays of unit have no carrier");
    };
  }

  /** Memory for {@code i8}. */
  static final class Bytes extends Store {
    private final byte[] a;

    Bytes(byte[] a) {
      this.a = a;
    }

    @Override
    Store like(long size) {
      return new Bytes(new byte[Limits.length(size, 1)]);
    }

    @Override
    Object base() {
      return a;
    }

    @Override
    long size() {
      return a.length;
    }

    @Override
    long get(int i) {
      return a[i];
    }

    @Override
    void set(int i, long v) {
      a[i] = (byte) v;
    }
  }

  /** Memory for {@code bool}. */
  static final class Booleans extends Store {
    private final boolean[] a;

    Booleans(boolean[] a) {
      this.a = a;
    }

    @Override
    Store like(long size) {
      return new Booleans(new boolean[Limits.length(size, 1)]);
    }

    @Override
    Object base() {
      return a;
    }

    @Override
    long size() {
      return a.length;
    }

    @Override
    long get(int i) {
      return a[i] ? 1 : 0;
    }

    @Override
    void set(int i, long v) {
      a[i] = v != 0;
    }
  }

  /** Memory for {@code i16} and {@code f16}. */
  static final class Shorts extends Store {
    private final short[] a;

    Shorts(short[] a) {
      this.a = a;
    }

    @Override
    Store like(long size) {
      return new Shorts(new short[Limits.length(size, 2)]);
    }

    @Override
    Object base() {
      return a;
    }

    @Override
    long size() {
      return a.length;
    }

    @Override
    long get(int i) {
      return a[i];
    }

    @Override
    void set(int i, long v) {
      a[i] = (short) v;
    }
  }

  /** Memory for {@code i32}. */
  static final class Ints extends Store {
    private final int[] a;

    Ints(int[] a) {
      this.a = a;
    }

    @Override
    Store like(long size) {
      return new Ints(new int[Limits.length(size, 4)]);
    }

    @Override
    Object base() {
      return a;
    }

    @Override
    long size() {
      return a.length;
    }

    @Override
    long get(int i) {
      return a[i];
    }

    @Override
    void set(int i, long v) {
      a[i] = (int) v;
    }
  }

  /** Memory for {@code f32}. */
  static final class Floats extends Store {
    private final float[] a;

    Floats(float[] a) {
      this.a = a;
    }

    @Override
    Store like(long size) {
      return new Floats(new float[Limits.length(size, 4)]);
    }

    @Override
    Object base() {
      return a;
    }

    @Override
    long size() {
      return a.length;
    }

    @Override
    long get(int i) {
      return Float.floatToRawIntBits(a[i]);
    }

    @Override
    void set(int i, long v) {
      a[i] = Float.intBitsToFloat((int) v);
    }
  }

  /** Memory for {@code i64}. */
  static final class Longs extends Store {
    private final long[] a;

    Longs(long[] a) {
      this.a = a;
    }

    @Override
    Store like(long size) {
      return new Longs(new long[Limits.length(size, 8)]);
    }

    @Override
    Object base() {
      return a;
    }

    @Override
    long size() {
      return a.length;
    }

    @Override
    long get(int i) {
      return a[i];
    }

    @Override
    void set(int i, long v) {
      a[i] = v;
    }
  }

  /** Memory for {@code f64}. */
  static final class Doubles extends Store {
    private final double[] a;

    Doubles(double[] a) {
      this.a = a;
    }

    @Override
    Store like(long size) {
      return new Doubles(new double[Limits.length(size, 8)]);
    }

    @Override
    Object base() {
      return a;
    }

    @Override
    long size() {
      return a.length;
    }

    @Override
    long get(int i) {
      return Double.doubleToRawLongBits(a[i]);
    }

    @Override
    void set(int i, long v) {
      a[i] = Double.longBitsToDouble(v);
    }
  }

  /** Memory for values of the unit type. */
  static final class Units extends Store {
    private final int n;

    Units(int n) {
      this.n = n;
    }

    @Override
    Store like(long size) {
      return new Units(Limits.length(size, 0));
    }

    @Override
    Object base() {
      return this;
    }

    @Override
    long size() {
      return n;
    }

    @Override
    long get(int i) {
      return 0;
    }

    @Override
    void set(int i, long v) {}

    @Override
    void copy(int to, Store from, int at, int count) {}
  }

  /** A view of a block of bytes as elements of some type. */
  static final class ByteView extends Store {
    private static final VarHandle SHORT = handle(short[].class);
    private static final VarHandle INT = handle(int[].class);
    private static final VarHandle LONG = handle(long[].class);

    private final PrimType type;
    private final byte[] a;

    ByteView(PrimType type, byte[] a) {
      this.type = type;
      this.a = a;
    }

    @Override
    Store like(long size) {
      return scratch(type, size);
    }

    private static VarHandle handle(Class<?> array) {
      return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    Object base() {
      return a;
    }

    @Override
    long size() {
      return type.bytes() == 0 ? Integer.MAX_VALUE : a.length / type.bytes();
    }

    @Override
    long get(int i) {
      return switch (type.bytes()) {
        case 0 -> 0;
        case 1 -> a[i];
        case 2 -> (short) SHORT.get(a, 2 * i);
        case 4 -> (int) INT.get(a, 4 * i);
        default -> (long) LONG.get(a, 8 * i);
      };
    }

    @Override
    void set(int i, long v) {
      switch (type.bytes()) {
        case 0 -> {}
        case 1 -> a[i] = (byte) v;
        case 2 -> SHORT.set(a, 2 * i, (short) v);
        case 4 -> INT.set(a, 4 * i, (int) v);
        default -> LONG.set(a, 8 * i, v);
      }
    }
  }
}
