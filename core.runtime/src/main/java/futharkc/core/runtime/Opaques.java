package futharkc.core.runtime;

import java.util.ArrayList;
import java.util.List;

/** Puts opaque values together from the scalars and arrays that represent them, and back. */
final class Opaques {
  private Opaques() {}

  /** The scalars and arrays that an entry point's arguments consist of. */
  static Value[] flatten(EntryPoint entry, Value[] args) {
    EntryPoint.Parameter[] params = entry.parameters();
    if (args.length != params.length) {
      throw new IllegalArgumentException(
          "entry point "
              + entry.name()
              + " takes "
              + params.length
              + " arguments, not "
              + args.length);
    }
    List<Value> flat = new ArrayList<>();
    for (int i = 0; i < params.length; i++) {
      if (!hasType(args[i], params[i].type())) {
        throw new IllegalArgumentException(
            "argument "
                + (i + 1)
                + " of entry point "
                + entry.name()
                + " is not of type "
                + params[i].type().name());
      }
      if (args[i] instanceof OpaqueValue o) {
        flat.addAll(List.of(o.parts()));
      } else {
        flat.add(args[i]);
      }
    }
    return flat.toArray(new Value[0]);
  }

  /** Whether a value is of a type; sizes are not looked at. */
  static boolean hasType(Value value, ValueType type) {
    return switch (type) {
      case ValueType.Prim p -> value instanceof Scalar s && s.type() == p.elem();
      case ValueType.Array a ->
          value instanceof ArrayValue v && v.elemType() == a.elem() && v.rank() == a.rank();
      case ValueType.Opaque o ->
          value instanceof OpaqueValue v && v.type().name().equals(o.name());
    };
  }

  /** The value of a type that the given scalars and arrays represent. */
  static Value compose(ValueType type, Value[] parts) {
    return switch (type) {
      case ValueType.Prim p -> parts[0];
      case ValueType.Array a -> parts[0];
      case ValueType.Opaque o -> new OpaqueValue(o, parts);
    };
  }
}
