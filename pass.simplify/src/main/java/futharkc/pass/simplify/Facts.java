package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.symbolic.Bounds;

/** What a condition that holds, or does not, says of integers. */
final class Facts {
  private Facts() {}

  static void add(SubExp cond, boolean holds, Bounds bounds, Simplifier in) {
    switch (in.expOf(cond)) {
      case BasicOp.UnOpExp u when u.op().kind() == UnOp.Kind.NOT ->
          add(u.operand(), !holds, bounds, in);
      case BasicOp.BinOpExp b when b.op().kind() == BinOp.Kind.LOG_AND && holds -> {
        add(b.left(), true, bounds, in);
        add(b.right(), true, bounds, in);
      }
      case BasicOp.BinOpExp b when b.op().kind() == BinOp.Kind.LOG_OR && !holds -> {
        add(b.left(), false, bounds, in);
        add(b.right(), false, bounds, in);
      }
      case BasicOp.CmpOpExp c when c.op().type() == PrimType.I64 -> {
        Poly a = in.poly(c.left());
        Poly b = in.poly(c.right());
        switch (c.op().kind()) {
          case SLT -> bounds.addFact(holds ? b.minus(a).minus(Poly.ONE) : a.minus(b));
          case SLE -> bounds.addFact(holds ? b.minus(a) : a.minus(b).minus(Poly.ONE));
          case EQ -> {
            if (holds) {
              bounds.addFact(a.minus(b));
              bounds.addFact(b.minus(a));
            }
          }
          default -> {}
        }
      }
      case null, default -> {}
    }
  }
}
