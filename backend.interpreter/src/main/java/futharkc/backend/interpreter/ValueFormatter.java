package futharkc.backend.interpreter;

import futharkc.core.ir.Loc;
import futharkc.core.ir.PrimType;
import java.util.List;
import java.util.StringJoiner;

/** The text of values in messages and traces. */
final class ValueFormatter {
  private ValueFormatter() {}

  /** Returns a scalar without type suffix. */
  static String scalar(PrimType t, boolean unsigned, long bits) {
    return switch (t) {
      case I8, I16, I32 ->
          unsigned ? Long.toString(bits & ((1L << t.bits()) - 1)) : Long.toString(bits);
      case I64 -> unsigned ? Long.toUnsignedString(bits) : Long.toString(bits);
      case F16 -> Float.toString(Float.float16ToFloat((short) bits));
      case F32 -> Float.toString(ScalarOps.f32(bits));
      case F64 -> Double.toString(ScalarOps.f64(bits));
      case BOOL -> bits != 0 ? "true" : "false";
      case UNIT -> "()";
    };
  }

  /** Returns a scalar or array operand with type suffixes. */
  static String value(PrimType elem, Operand value, CallFrame f) {
    if (value.isScalar()) {
      return suffixed(elem, value.scalar(f));
    }
    return value.object(f) instanceof ArrayView v ? view(elem, v) : "?";
  }

  /** Returns a scalar with a type suffix. */
  static String suffixed(PrimType t, long bits) {
    boolean plain = t == PrimType.BOOL || t == PrimType.UNIT;
    return scalar(t, false, bits) + (plain ? "" : t.toString());
  }

  /** Returns the positions of a check and of its callers, in the format of reports. */
  static String trace(List<Loc> trace) {
    StringBuilder s = new StringBuilder();
    for (int i = 0; i < trace.size(); i++) {
      if (i > 0) {
        s.append('\n');
      }
      s.append(i == 0 ? "-> #" : "   #").append(i).append(i < 10 ? "  " : " ").append(trace.get(i));
    }
    return s.toString();
  }

  private static String view(PrimType elem, ArrayView v) {
    if (v.rank() == 0) {
      return suffixed(elem, v.get(v.offset()));
    }
    StringJoiner s = new StringJoiner(", ", "[", "]");
    for (long i = 0; i < v.shape()[0]; i++) {
      s.add(view(elem, v.at(i)));
    }
    return s.toString();
  }
}
