package futharkc.harness.testing;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Memory;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A generator of values. Integers range over their whole type and floats from 0 to 1, unless bounds
 * are set. Equal seeds give equal values on all machines.
 */
public final class RandomValues {
  private final Map<ElemType, Scalar[]> bounds = new EnumMap<>(ElemType.class);

  /** Creates a generator with the bounds of {@link RandomValues}. */
  public RandomValues() {}

  /**
   * Sets the least and the greatest number of a type.
   *
   * @param range two literals, separated by a colon
   * @throws IllegalArgumentException if the range is malformed
   */
  public void setBounds(ElemType type, String range) {
    int colon = range.indexOf(':');
    Scalar low = bound(type, colon < 0 ? "" : range.substring(0, colon), range);
    Scalar high = bound(type, range.substring(colon + 1), range);
    boolean ordered =
        type.isFloat()
            ? number(low) <= number(high)
            : type.isUnsigned()
                ? Long.compareUnsigned(low.bits(), high.bits()) <= 0
                : low.bits() <= high.bits();
    if (!ordered) {
      throw new IllegalArgumentException(
          "the bounds " + range + " are in the wrong order: expected MIN:MAX");
    }
    bounds.put(type, new Scalar[] {low, high});
  }

  private static Scalar bound(ElemType type, String literal, String range) {
    try {
      ValueReader reader = ValueReader.ofText(literal);
      if (reader.read(type, 0) instanceof Scalar scalar
          && reader.atEnd()
          && !Double.isNaN(number(scalar))) {
        return scalar;
      }
    } catch (IOException e) {
      // The exception below reports the malformed literal.
    }
    throw new IllegalArgumentException("'" + range + "' are not bounds MIN:MAX of type " + type);
  }

  private static double number(Scalar s) {
    return switch (s.type()) {
      case F16 -> Float.float16ToFloat(s.asShort());
      case F32 -> s.asFloat();
      case F64 -> s.asDouble();
      default -> 0;
    };
  }

  /**
   * Generates a value for each description, with consecutive seeds.
   *
   * @param seed the seed of the first value
   */
  public List<Value> generate(List<RandomValue> descriptions, long seed) {
    List<Value> values = new ArrayList<>();
    long next = seed;
    for (RandomValue description : descriptions) {
      values.add(generate(description, next++));
    }
    return values;
  }

  /**
   * Generates a value from a description and a seed.
   *
   * @throws IllegalArgumentException if the value is too large for an array
   */
  public Value generate(RandomValue description, long seed) {
    return switch (description) {
      case RandomValue.Fixed fixed -> fixed.value();
      case RandomValue.OfType type -> {
        SplittableRandom random = new SplittableRandom(seed);
        if (type.shape().length == 0) {
          yield new Scalar(type.elemType(), bits(random, type.elemType()));
        }
        yield array(random, type);
      }
    };
  }

  private ArrayValue array(SplittableRandom random, RandomValue.OfType type) {
    long size;
    try {
      size = ArrayValue.size(type.shape());
    } catch (ArithmeticException e) {
      size = Long.MAX_VALUE;
    }
    if (size > Memory.MAX_LENGTH) {
      throw new IllegalArgumentException("'" + type.text() + "' is too large for an array");
    }
    ElemType elem = type.elemType();
    Object data = elem.newArray((int) size);
    for (int i = 0; i < size; i++) {
      long bits = bits(random, elem);
      if (data instanceof int[] a) {
        a[i] = (int) bits;
      } else if (data instanceof float[] a) {
        a[i] = Float.intBitsToFloat((int) bits);
      } else if (data instanceof double[] a) {
        a[i] = Double.longBitsToDouble(bits);
      } else if (data instanceof long[] a) {
        a[i] = bits;
      } else if (data instanceof byte[] a) {
        a[i] = (byte) bits;
      } else if (data instanceof short[] a) {
        a[i] = (short) bits;
      } else if (data instanceof boolean[] a) {
        a[i] = bits != 0;
      }
    }
    return new ArrayValue(elem, type.shape(), data);
  }

  private long bits(SplittableRandom random, ElemType type) {
    Scalar @Nullable [] range = bounds.get(type);
    return switch (type) {
      case BOOL -> random.nextLong() & 1;
      case F16 -> Scalar.f16(Float.floatToFloat16((float) fraction(random, range))).bits();
      case F32 -> Float.floatToRawIntBits((float) fraction(random, range));
      case F64 -> Double.doubleToRawLongBits(fraction(random, range));
      default -> integer(random, range);
    };
  }

  private static double fraction(SplittableRandom random, Scalar @Nullable [] range) {
    double x = random.nextDouble();
    if (range == null) {
      return x;
    }
    double low = number(range[0]);
    double high = number(range[1]);
    return low * (1 - x) + high * x;
  }

  private static long integer(SplittableRandom random, Scalar @Nullable [] range) {
    if (range == null) {
      return random.nextLong();
    }
    long low = range[0].bits();
    // The bits of unsigned numbers are sign-extended, but their differences are correct modulo
    // 2^64.
    long span = range[1].bits() - low + 1;
    if (range[0].type().isUnsigned() && range[0].type().bytes() < Long.BYTES) {
      span &= (1L << 8 * range[0].type().bytes()) - 1;
      if (span == 0) {
        return random.nextLong();
      }
    }
    if (span == 0) {
      return random.nextLong();
    }
    return low + (span > 0 ? random.nextLong(span) : below(random, span));
  }

  /** Returns a random number below a bound that may exceed the range of a signed {@code long}. */
  private static long below(SplittableRandom random, long unsignedBound) {
    long x = random.nextLong();
    while (Long.compareUnsigned(x, unsignedBound) >= 0) {
      x = random.nextLong();
    }
    return x;
  }
}
