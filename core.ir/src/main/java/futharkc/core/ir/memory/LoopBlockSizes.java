package futharkc.core.ir.memory;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;

/** Sizes of blocks that are allocated before a loop instead of in each of its iterations. */
public final class LoopBlockSizes {
  private LoopBlockSizes() {}

  /**
   * A size that is 0 if the loop does not run: what it is computed from may make no sense then.
   *
   * @param size of 64 bits, known before the loop
   * @param before gets what computes it
   */
  public static SubExp ifRun(Exp.Loop l, SubExp size, Builder before) {
    if (size instanceof SubExp.Const) return size;
    SubExp runs =
        switch (l.form()) {
          case Exp.Form.For f ->
              before.cmp(
                  "runs", CmpOp.Kind.SLT, f.type(), SubExp.of(PrimValue.zero(f.type())), f.bound());
          case Exp.Form.While w ->
              l.params().stream()
                  .filter(p -> p.param().name().equals(w.cond()))
                  .map(Exp.LoopParam::init)
                  .findFirst()
                  .orElseThrow();
        };
    SubExp times = before.conv("times", ConvOp.Kind.BTOI, PrimType.BOOL, PrimType.I64, runs);
    return before.binOp("size", BinOp.Kind.MUL, PrimType.I64, size, times);
  }
}
