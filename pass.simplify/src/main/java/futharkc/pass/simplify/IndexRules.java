package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules for the index of an array that need not be constructed for one element. */
final class IndexRules {
  /** The maximal number of operands of a concatenation for a search. */
  private static final int MANY_PARTS = 8;

  private IndexRules() {}

  /**
   * Replaces an element of a concatenation by an element of an operand, found by comparisons of the
   * index.
   */
  static @Nullable List<Stm> ofConcat(Stm s, BasicOp.Index x, BasicOp.Concat c, Simplifier in) {
    if (!x.slice().isElement() || c.arrays().size() > MANY_PARTS) {
      return null;
    }
    SubExp index = ((Slice.Fix) x.slice().dims().get(c.dim())).index();
    Builder b = in.builder(s.aux());
    List<SubExp> starts = new ArrayList<>();
    SubExp start = SubExp.i64(0);
    for (Name part : c.arrays()) {
      starts.add(start);
      SubExp size = in.type(part).dims().get(c.dim());
      start = start.isInt(0) ? size : b.binOp("start", BinOp.Kind.ADD, PrimType.I64, start, size);
    }
    Type type = s.pat().get(0).type();
    int last = c.arrays().size() - 1;
    Body found = element(s, x, c, last, index, starts.get(last), type, in);
    for (int k = last - 1; k >= 0; k--) {
      Body here = element(s, x, c, k, index, starts.get(k), type, in);
      Builder choice = in.builder(s.aux());
      SubExp isHere = choice.cmp("here", CmpOp.Kind.SLT, PrimType.I64, index, starts.get(k + 1));
      Exp either = Exp.Match.conditional(isHere, here, found);
      if (k == 0) {
        b.addAll(choice.stms());
        b.add(s.withExp(either));
        return b.stms();
      }
      found = choice.body(List.of(choice.letExp("elem", type, either)));
    }
    return null;
  }

  private static Body element(
      Stm s,
      BasicOp.Index x,
      BasicOp.Concat c,
      int part,
      SubExp index,
      SubExp start,
      Type type,
      Simplifier in) {
    Builder b = in.builder(s.aux());
    List<Slice.Dim> dims = new ArrayList<>(x.slice().dims());
    dims.set(
        c.dim(),
        new Slice.Fix(
            start.isInt(0) ? index : b.binOp("index", BinOp.Kind.SUB, PrimType.I64, index, start)));
    BasicOp elem = new BasicOp.Index(c.arrays().get(part), new Slice(dims));
    return b.body(List.of(b.letExp("elem", type, elem)));
  }
}
