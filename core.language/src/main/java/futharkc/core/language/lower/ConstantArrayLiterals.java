package futharkc.core.language.lower;

import futharkc.core.ir.PrimValue;
import futharkc.core.language.typed.Exp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Array literals of constants, which become data instead of code. */
final class ConstantArrayLiterals {
  private ConstantArrayLiterals() {}

  /**
   * Returns the elements in row-major order and adds the sizes to the shape. Returns null unless
   * all elements are constant scalars.
   */
  static @Nullable List<PrimValue> constants(Exp.ArrayLit a, List<Integer> shape) {
    List<PrimValue> out = new ArrayList<>();
    return collect(a, 0, shape, out) ? out : null;
  }

  private static boolean collect(Exp e, int depth, List<Integer> shape, List<PrimValue> out) {
    switch (e) {
      case Exp.Lit l when depth == shape.size() -> {
        out.add(PatternLowering.literal(l));
        return true;
      }
      case Exp.UnOp u
          when depth == shape.size() && u.op() == Exp.Un.NEGATE && u.exp() instanceof Exp.Lit l -> {
        PrimValue v = PatternLowering.literal(l);
        out.add(
            v.type().isFloat()
                ? PrimValue.ofFloat(v.type(), -v.asDouble())
                : PrimValue.ofInt(v.type(), -v.bits()));
        return true;
      }
      case Exp.ArrayLit a -> {
        int n = a.elems().size();
        if (n == 0) {
          return false;
        }
        if (depth == shape.size()) {
          if (!out.isEmpty()) {
            return false;
          }
          shape.add(n);
        } else if (shape.get(depth) != n) {
          return false;
        }
        for (Exp x : a.elems()) {
          if (!collect(x, depth + 1, shape, out)) {
            return false;
          }
        }
        return true;
      }
      default -> {
        return false;
      }
    }
  }
}
