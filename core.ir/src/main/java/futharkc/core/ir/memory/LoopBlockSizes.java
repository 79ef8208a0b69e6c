package futharkc.core.ir.memory;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;

/** Sizes of blocks whose allocation is moved out of a loop. */
public final class LoopBlockSizes {
  private LoopBlockSizes() {}

  /**
   * Returns a size that is 0 if the loop does not run, since the operands of the size may be
   * meaningless then.
   *
   * @param size an i64 size, known before the loop
   * @param before the builder that receives the computation
   */
  public static SubExp ifRun(Exp.Loop l, SubExp size, Builder before) {
    if (size instanceof SubExp.Const) {
      return size;
    }
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
