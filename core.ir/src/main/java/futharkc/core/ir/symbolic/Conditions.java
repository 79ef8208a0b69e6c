package futharkc.core.ir.symbolic;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.UnOp;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Translation of boolean conditions into facts about integers. */
public final class Conditions {
  private final Function<SubExp, @Nullable Exp> definitions;
  private final Function<SubExp, Poly> polys;

  /**
   * Makes a translation.
   *
   * @param definitions a function that returns the expression bound to an operand, or null if it is
   *     unknown
   * @param polys a function that returns an i64 operand as a polynomial
   */
  public Conditions(Function<SubExp, @Nullable Exp> definitions, Function<SubExp, Poly> polys) {
    this.definitions = definitions;
    this.polys = polys;
  }

  /** Adds the facts implied by a condition that holds, or by one that does not hold. */
  public void add(SubExp cond, boolean holds, Bounds bounds) {
    switch (definitions.apply(cond)) {
      case BasicOp.UnOpExp u when u.op().kind() == UnOp.Kind.NOT ->
          add(u.operand(), !holds, bounds);
      case BasicOp.BinOpExp b when b.op().kind() == BinOp.Kind.LOG_AND && holds -> {
        add(b.left(), true, bounds);
        add(b.right(), true, bounds);
      }
      case BasicOp.BinOpExp b when b.op().kind() == BinOp.Kind.LOG_OR && !holds -> {
        add(b.left(), false, bounds);
        add(b.right(), false, bounds);
      }
      case BasicOp.CmpOpExp c when c.op().type() == PrimType.I64 -> {
        Poly a = polys.apply(c.left());
        Poly b = polys.apply(c.right());
        switch (c.op().kind()) {
          case SLT -> bounds.addFact(holds ? b.minus(a).minus(Poly.ONE) : a.minus(b));
          case SLE -> bounds.addFact(holds ? b.minus(a) : a.minus(b).minus(Poly.ONE));
          case EQ -> {
            if (holds) {
              bounds.addFact(a.minus(b));
              bounds.addFact(b.minus(a));
            } else if (bounds.provesNonNegative(a.minus(b))) {
              bounds.addFact(a.minus(b).minus(Poly.ONE));
            } else if (bounds.provesNonNegative(b.minus(a))) {
              bounds.addFact(b.minus(a).minus(Poly.ONE));
            }
          }
          default -> {}
        }
      }
      case null -> {}
      case BasicOp _,
          Exp.Apply _,
          Exp.Match _,
          Exp.Loop _,
          Exp.WithAcc _,
          Soac _,
          SegExp _,
          HostOp _,
          MemOp _ -> {}
    }
  }
}
