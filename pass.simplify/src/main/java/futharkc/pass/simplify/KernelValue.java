package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The computation of a map's result, independent of the names bound in the map. Two maps with equal
 * computations produce equal arrays.
 *
 * @param dims the sizes of the map's space
 * @param element the element as text; indices are numbers, other names are free
 */
record KernelValue(List<SubExp> dims, String element) {
  /** The maximal number of operations, since longer computations rarely repeat. */
  private static final int MOST = 16;

  /** Returns the computation of a result; null if it is not a few operations on scalars. */
  static @Nullable KernelValue of(SegOp.SegMap m, int result) {
    if (!(m.level() instanceof SegLevel.Thread)
        || !(m.body().results().get(result) instanceof SegResult.Returns r)) {
      return null;
    }
    Text text = new Text(m);
    return text.operand(r.value()) ? new KernelValue(m.space().shape(), text.out.toString()) : null;
  }

  private static final class Text {
    final StringBuilder out = new StringBuilder();
    private final Map<Name, Stm> inside = new HashMap<>();
    private final Map<Name, Integer> indices = new HashMap<>();
    private final Name flat;
    private int operations;

    Text(SegOp.SegMap m) {
      flat = m.space().flat();
      for (SegSpace.Dim d : m.space().dims()) {
        indices.put(d.index(), indices.size());
      }
      for (Stm s : m.body().stms()) {
        for (Name n : s.names()) {
          inside.put(n, s);
        }
      }
    }

    boolean operand(SubExp e) {
      if (!(e instanceof SubExp.Var v)) {
        out.append(e).append(' ');
        return true;
      }
      if (v.name().equals(flat)) {
        return false;
      }
      Integer index = indices.get(v.name());
      Stm s = inside.get(v.name());
      if (s == null) {
        out.append(index == null ? v.name().toString() : "#" + index).append(' ');
        return true;
      }
      for (Name c : s.aux().certs()) {
        if (inside.containsKey(c)) {
          return false;
        }
        out.append(c).append(' ');
      }
      return s.pat().size() == 1 && ++operations <= MOST && expression(s.exp());
    }

    private boolean expression(Exp e) {
      return switch (e) {
        case BasicOp.SubExpOp x -> operand(x.value());
        case BasicOp.BinOpExp x -> op(x.op()) && operand(x.left()) && operand(x.right());
        case BasicOp.CmpOpExp x -> op(x.op()) && operand(x.left()) && operand(x.right());
        case BasicOp.UnOpExp x -> op(x.op()) && operand(x.operand());
        case BasicOp.ConvOpExp x -> op(x.op()) && operand(x.operand());
        case BasicOp.Index x when x.slice().isElement() && !inside.containsKey(x.array()) ->
            op("at " + x.array())
                && x.slice().dims().stream().allMatch(d -> operand(((Slice.Fix) d).index()));
        default -> false;
      };
    }

    private boolean op(Object what) {
      out.append(what).append(' ');
      return true;
    }
  }
}
