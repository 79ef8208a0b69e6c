package futharkc.core.runtime;

/**
 * A value of a type that has no public representation of its own: records, tuples, sums, arrays of
 * these, and abstract types.
 *
 * @param type its type
 * @param parts the scalars and arrays that represent it, one for each of {@link
 *     ValueType.Opaque#parts()}
 */
public record OpaqueValue(ValueType.Opaque type, Value[] parts) implements Value {
  /** The type, as in {@code value of type (i32, bool)}. */
  @Override
  public String toString() {
    return "value of type " + type.name();
  }
}
