package futharkc.harness.testing;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * A generator of random values of a type: numbers, arrays, tuples, records, and arrays of these.
 */
public final class RandomCandidates {
  private RandomCandidates() {}

  /**
   * Returns the first component type without generator: a sum or an abstract type. Returns null if
   * {@link #generate} can make values of the type.
   */
  public static @Nullable ValueType obstacle(ValueType type) {
    return switch (type) {
      case ValueType.Prim _, ValueType.Array _ -> null;
      case ValueType.Opaque o ->
          switch (o.structure()) {
            case ValueType.Record r -> {
              for (ValueType.Field field : r.fields()) {
                ValueType obstacle = obstacle(field.type());
                if (obstacle != null) {
                  yield obstacle;
                }
              }
              yield null;
            }
            case ValueType.ArrayOf(int _, ValueType.Opaque elem) -> obstacle(elem);
            case ValueType.Sum _, ValueType.Abstract _ -> o;
          };
    };
  }

  /**
   * Returns a random value.
   *
   * @param type a type without {@link #obstacle}
   * @param size the size of each dimension of arrays
   */
  public static Value generate(ValueType type, long size, long seed) {
    SplitMix seeds = new SplitMix(seed);
    ValueType.Part[] parts = type.parts();
    Value[] values = new Value[parts.length];
    for (int i = 0; i < parts.length; i++) {
      values[i] = part(parts[i], size, new SplitMix(seeds.next()));
    }
    return Opaques.compose(type, values);
  }

  private static Value part(ValueType.Part part, long size, SplitMix random) {
    ElemType elem = part.elem();
    if (part.rank() == 0) {
      return new Scalar(elem, random.bits(elem));
    }
    long[] shape = new long[part.rank()];
    java.util.Arrays.fill(shape, size);
    int n = Math.toIntExact(ArrayValue.size(shape));
    ArrayValue array = new ArrayValue(elem, shape, elem.newArray(n));
    for (int i = 0; i < n; i++) {
      array.setElement(i, new Scalar(elem, random.bits(elem)));
    }
    return array;
  }
}
