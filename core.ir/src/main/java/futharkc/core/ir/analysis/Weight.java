package futharkc.core.ir.analysis;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;

/** Cost classes of expressions, for decisions about recomputation and sharing. */
public enum Weight {
  /** Free: a copy of a name or a view of an array. */
  VIEW,
  /** A read of an array element or row. */
  ELEMENT,
  /** A scalar operation of a few cycles (more for divisions). */
  OPERATION,
  /** A scalar function of tens of cycles. */
  FUNCTION,
  /** The creation of an array from scalars. */
  ARRAY,
  /** A copy of array elements. */
  COPY,
  /** A check that may stop the program. */
  CHECK,
  /** A change of an array or accumulator, or an expression that must not be moved. */
  EFFECT,
  /** An expression with bodies, whose cost depends on them. */
  CODE;

  /** Returns the cost class of an expression without its bodies. */
  public static Weight of(Exp e) {
    return switch (e) {
      case BasicOp.SubExpOp _, BasicOp.Rearrange _ -> VIEW;
      case BasicOp.Reshape x -> x.coerce() ? VIEW : ARRAY;
      case BasicOp.Index _, BasicOp.FlatIndex _ -> ELEMENT;
      case BasicOp.BinOpExp x ->
          x.op().kind() == BinOp.Kind.POW || x.op().kind() == BinOp.Kind.FPOW
              ? FUNCTION
              : OPERATION;
      case BasicOp.UnOpExp _, BasicOp.CmpOpExp _, BasicOp.ConvOpExp _ -> OPERATION;
      case BasicOp.PrimFunExp _ -> FUNCTION;
      case BasicOp.ArrayVal _,
          BasicOp.ArrayLit _,
          BasicOp.Iota _,
          BasicOp.Scratch _,
          BasicOp.UserParam _ ->
          ARRAY;
      case BasicOp.Replicate x -> x.shape().isEmpty() ? COPY : ARRAY;
      case BasicOp.Concat _, BasicOp.Manifest _ -> COPY;
      case BasicOp.Assert _ -> CHECK;
      case BasicOp.Update _, BasicOp.FlatUpdate _, BasicOp.UpdateAcc _, BasicOp.Opaque _ -> EFFECT;
      case Exp.Apply _,
          Exp.Match _,
          Exp.Loop _,
          Exp.WithAcc _,
          Soac _,
          SegExp _,
          HostOp _,
          MemOp _ ->
          CODE;
    };
  }
}
