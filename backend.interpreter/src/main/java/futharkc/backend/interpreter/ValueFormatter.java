package futharkc.backend.interpreter;

import futharkc.core.ir.Loc;
import futharkc.core.ir.PrimType;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.F64;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.util.List;

/** The text of values in messages and traces. */
final class ValueFormatter {
  private ValueFormatter() {}

  /** Returns a scalar without type suffix. */
  static String scalar(PrimType t, boolean unsigned, long bits) {
    return switch (t) {
      case I8, I16, I32 ->
          unsigned ? Long.toString(bits & ((1L << t.bits()) - 1)) : Long.toString(bits);
      case I64 -> unsigned ? Long.toUnsignedString(bits) : Long.toString(bits);
      case F16 -> F64.fixed(Float.float16ToFloat((short) bits));
      case F32 -> F64.fixed(ScalarOps.f32(bits));
      case F64 -> F64.fixed(ScalarOps.f64(bits));
      case BOOL -> bits != 0 ? "true" : "false";
      case UNIT -> "()";
    };
  }

  /** Returns a scalar or array operand as a value. */
  static Value value(ElemType elem, Operand value, CallFrame f) {
    if (value.isScalar()) {
      return new Scalar(elem, value.scalar(f));
    }
    ArrayView v = (ArrayView) value.object(f);
    Object data = elem.newArray(Math.toIntExact(v.size()));
    ArrayView.whole(Store.of(prim(elem), data), v.shape()).assign(v);
    return new ArrayValue(elem, v.shape(), data);
  }

  /** Returns the element type of a representation. */
  static ElemType elemType(PrimType t, boolean unsigned) {
    return switch (t) {
      case I8 -> unsigned ? ElemType.U8 : ElemType.I8;
      case I16 -> unsigned ? ElemType.U16 : ElemType.I16;
      case I32 -> unsigned ? ElemType.U32 : ElemType.I32;
      case I64 -> unsigned ? ElemType.U64 : ElemType.I64;
      case F16 -> ElemType.F16;
      case F32 -> ElemType.F32;
      case F64 -> ElemType.F64;
      case BOOL -> ElemType.BOOL;
      case UNIT -> ElemType.UNIT;
    };
  }

  private static PrimType prim(ElemType t) {
    return switch (t) {
      case I8, U8 -> PrimType.I8;
      case I16, U16 -> PrimType.I16;
      case I32, U32 -> PrimType.I32;
      case I64, U64 -> PrimType.I64;
      case F16 -> PrimType.F16;
      case F32 -> PrimType.F32;
      case F64 -> PrimType.F64;
      case BOOL -> PrimType.BOOL;
      case UNIT -> PrimType.UNIT;
    };
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
}
