package futharkc.tests.oracle;

import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** A value. All values except accumulators are immutable. */
sealed interface Val {
  /**
   * A scalar.
   *
   * @param bits integers sign-extended from the width of their type (unsigned integers too), floats
   *     as the bits of the double of the same value, booleans as 0 or 1
   */
  record Prim(PrimType type, long bits) implements Val {}

  /**
   * An array.
   *
   * @param elem the closed type of the elements, which determines their shape if the array is empty
   */
  record Arr(List<Val> elems, Type elem) implements Val {
    public Arr {
      elems = List.copyOf(elems);
    }
  }

  /** A record or tuple. */
  record Rec(SortedMap<String, Val> fields) implements Val {}

  /** A value of a sum type. */
  record Sum(String name, List<Val> payload) implements Val {
    public Sum {
      payload = List.copyOf(payload);
    }
  }

  /** A function of one argument. */
  non-sealed interface Fn extends Val {
    Val apply(Val arg);
  }

  /** A definition without bound size and type parameters. */
  record Def(ValDef def, OracleEnv env) implements Val {}

  /** An accumulator, the only mutable value. */
  record Acc(List<Val> elems, @Nullable Fn op, Type elem) implements Val {}

  static Val i64(long x) {
    return new Prim(PrimType.I64, x);
  }

  static Val bool(boolean x) {
    return new Prim(PrimType.BOOL, x ? 1 : 0);
  }

  static Val tuple(Val... parts) {
    SortedMap<String, Val> fields = new java.util.TreeMap<>(Type.FIELD_ORDER);
    for (int i = 0; i < parts.length; i++) {
      fields.put(Integer.toString(i), parts[i]);
    }
    return new Rec(fields);
  }
}
