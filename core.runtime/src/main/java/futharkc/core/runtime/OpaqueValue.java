package futharkc.core.runtime;

/**
 * A value of a type without public representation: records, tuples, sums, arrays of these, and
 * abstract types.
 *
 * @param type the type
 * @param parts the scalars and arrays that represent the value, one for each of {@link
 *     ValueType.Opaque#parts()}
 */
public record OpaqueValue(ValueType.Opaque type, Value[] parts) implements Value {
  /** Returns the type, as in {@code value of type (i32, bool)}. */
  @Override
  public String toString() {
    return "value of type " + type.name();
  }
}
