package futharkc.core.ir.symbolic;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;

/**
 * An inclusive range of signed integers of any width. Operations return a range that contains every
 * result, as in interval arithmetic (R. E. Moore, Interval Analysis, 1966). If a result may
 * overflow, they return the full range of its type.
 */
public record ValueRange(long low, long high) {
  public ValueRange {
    if (low > high) {
      throw new IllegalArgumentException("the range from " + low + " to " + high + " is empty");
    }
  }

  /** Returns the full range of an integer type. */
  public static ValueRange of(PrimType t) {
    long high = Long.MAX_VALUE >> 64 - t.bits();
    return new ValueRange(-high - 1, high);
  }

  /** Returns the range of a single number. */
  public static ValueRange of(PrimValue v) {
    return new ValueRange(v.asLong(), v.asLong());
  }

  /** Tests whether the range contains no negative number. */
  public boolean isNonNegative() {
    return low >= 0;
  }

  /** Tests whether every number is less than every number of the other range. */
  public boolean isBelow(ValueRange other) {
    return high < other.low;
  }

  /** Tests whether the other range contains this range. */
  public boolean isIn(ValueRange other) {
    return other.low <= low && high <= other.high;
  }

  /** Returns the range of an integer operation. Divisors are assumed not to be zero. */
  public static ValueRange binary(BinOp op, ValueRange a, ValueRange b) {
    ValueRange all = of(op.type());
    return switch (op.kind()) {
      case ADD -> {
        long low = a.low + b.low;
        long high = a.high + b.high;
        boolean exact = isSum(a.low, b.low, low) && isSum(a.high, b.high, high);
        yield exact ? within(all, low, high) : all;
      }
      case SUB -> {
        long low = a.low - b.high;
        long high = a.high - b.low;
        boolean exact = isSum(low, b.high, a.low) && isSum(high, b.low, a.high);
        yield exact ? within(all, low, high) : all;
      }
      case MUL -> product(all, a, b);
      case SHL ->
          b.low == b.high && b.low >= 0 && b.low < op.type().bits() - 1
              ? product(all, a, new ValueRange(1L << b.low, 1L << b.low))
              : all;
      case SDIV ->
          b.low < 1
              ? all
              : new ValueRange(
                  Math.floorDiv(a.low, a.low >= 0 ? b.high : b.low),
                  Math.floorDiv(a.high, a.high >= 0 ? b.low : b.high));
      case SQUOT ->
          b.low < 1
              ? all
              : new ValueRange(
                  a.low / (a.low >= 0 ? b.high : b.low), a.high / (a.high >= 0 ? b.low : b.high));
      case UDIV -> {
        if (b.low < 1) {
          yield all;
        }
        if (a.low >= 0) {
          yield new ValueRange(a.low / b.high, a.high / b.low);
        }
        yield b.low == 1 ? all : new ValueRange(0, Long.divideUnsigned(ones(op.type()), b.low));
      }
      case SMOD -> {
        if (b.low >= 1) {
          yield new ValueRange(0, a.low >= 0 ? Math.min(a.high, b.high - 1) : b.high - 1);
        }
        yield b.high <= -1 ? new ValueRange(b.low + 1, 0) : all;
      }
      case UMOD ->
          b.low < 1
              ? all
              : new ValueRange(0, a.low >= 0 ? Math.min(a.high, b.high - 1) : b.high - 1);
      case SREM -> {
        if (b.low < 1) {
          yield all;
        }
        long low = a.low >= 0 ? 0 : Math.max(a.low, 1 - b.high);
        yield new ValueRange(low, a.high <= 0 ? 0 : Math.min(a.high, b.high - 1));
      }
      case SMIN -> new ValueRange(Math.min(a.low, b.low), Math.min(a.high, b.high));
      case SMAX -> new ValueRange(Math.max(a.low, b.low), Math.max(a.high, b.high));
      case UMIN -> {
        if (a.low >= 0 && b.low >= 0) {
          yield new ValueRange(Math.min(a.low, b.low), Math.min(a.high, b.high));
        }
        yield a.low >= 0 ? new ValueRange(0, a.high) : b.low >= 0 ? new ValueRange(0, b.high) : all;
      }
      case UMAX ->
          a.low >= 0 && b.low >= 0
              ? new ValueRange(Math.max(a.low, b.low), Math.max(a.high, b.high))
              : all;
      case AND -> {
        if (a.low >= 0 && b.low >= 0) {
          yield new ValueRange(0, Math.min(a.high, b.high));
        }
        yield a.low >= 0 ? new ValueRange(0, a.high) : b.low >= 0 ? new ValueRange(0, b.high) : all;
      }
      case OR, XOR -> {
        if (a.low < 0 || b.low < 0) {
          yield all;
        }
        long most = a.high | b.high;
        yield new ValueRange(0, most == 0 ? 0 : Long.highestOneBit(most) * 2 - 1);
      }
      case LSHR -> {
        if (b.low != b.high || b.low < 0 || b.low >= op.type().bits()) {
          yield all;
        }
        if (a.low >= 0) {
          yield new ValueRange(a.low >> b.low, a.high >> b.low);
        }
        yield b.low == 0 ? all : new ValueRange(0, ones(op.type()) >>> b.low);
      }
      case ASHR ->
          b.low == b.high && b.low >= 0 && b.low < op.type().bits()
              ? new ValueRange(a.low >> b.low, a.high >> b.low)
              : all;
      case UDIV_UP, SDIV_UP, POW, FADD, FSUB, FMUL, FDIV, FMOD, FMIN, FMAX, FPOW, LOG_AND, LOG_OR ->
          all;
    };
  }

  /** Returns the range of an integer conversion. */
  public static ValueRange converted(ConvOp op, ValueRange x) {
    ValueRange all = of(op.to());
    return switch (op.kind()) {
      case SEXT -> x.isIn(all) ? x : all;
      case ZEXT -> {
        if (x.low >= 0) {
          yield x.isIn(all) ? x : all;
        }
        yield op.from().bits() < op.to().bits() ? new ValueRange(0, ones(op.from())) : all;
      }
      case FPCONV, FPTOUI, FPTOSI, UITOFP, SITOFP, BTOI, ITOB, BTOF, FTOB -> all;
    };
  }

  /** Returns the largest unsigned number of the type, as a 64-bit number. */
  private static long ones(PrimType t) {
    return -1L >>> 64 - t.bits();
  }

  // The exact methods of Math throw exceptions, whose cost grows with the depth of the stack.

  /** Tests whether {@code a + b} does not overflow, given the wrapped sum. */
  private static boolean isSum(long a, long b, long sum) {
    return ((a ^ sum) & (b ^ sum)) >= 0;
  }

  private static ValueRange product(ValueRange all, ValueRange a, ValueRange b) {
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (long x : new long[] {a.low, a.high}) {
      for (long y : new long[] {b.low, b.high}) {
        long p = x * y;
        if (Math.multiplyHigh(x, y) != p >> 63) {
          return all;
        }
        low = Math.min(low, p);
        high = Math.max(high, p);
      }
    }
    return within(all, low, high);
  }

  /** Returns a range, or all numbers of the type if the range exceeds the type. */
  private static ValueRange within(ValueRange all, long low, long high) {
    ValueRange i = new ValueRange(low, high);
    return i.isIn(all) ? i : all;
  }
}
