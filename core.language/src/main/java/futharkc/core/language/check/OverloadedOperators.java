package futharkc.core.language.check;

import futharkc.core.language.typed.Exp;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The overloaded operators. */
final class OverloadedOperators {
  private OverloadedOperators() {}

  /** The operators by name, without {@code &&} and {@code ||}. */
  static final Map<String, Exp.Op> BUILTIN = builtin();

  private static Map<String, Exp.Op> builtin() {
    Map<String, Exp.Op> map = new LinkedHashMap<>();
    for (Exp.Op op : Exp.Op.values()) {
      map.put(op.text, op);
    }
    return Collections.unmodifiableMap(map);
  }

  /** Returns the primitive types of the operands as a bit set; 0 for any type. */
  static int operands(Exp.Op op) {
    return switch (op) {
      case ADD, SUB, MUL, DIV, MOD, POW -> TypeVar.NUMBERS;
      case QUOT, REM, AND, OR, XOR, SHL, SHR -> TypeVar.INTEGERS;
      case EQ, NEQ -> 0;
      case LT, LE, GT, GE -> TypeVar.NUMBERS | TypeVar.BOOL;
    };
  }

  static boolean isComparison(Exp.Op op) {
    return op.compareTo(Exp.Op.EQ) >= 0;
  }
}
