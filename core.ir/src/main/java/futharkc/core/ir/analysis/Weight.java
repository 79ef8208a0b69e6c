package futharkc.core.ir.analysis;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;

/**
 * What an expression costs, roughly: what is cheap enough to be evaluated once more, and what is
 * worth being kept, is said in these words.
 */
public enum Weight {
  /** Nothing: another name, or another view of an array. */
  VIEW,
  /** Element of an array, or row. */
  ELEMENT,
  /** An operation on scalars, of a few cycles but for divisions. */
  OPERATION,
  /** A function of scalars, of tens of cycles. */
  FUNCTION,
  /** Makes an array from scalars. */
  ARRAY,
  /** Copies elements. */
  COPY,
  /** May end the program. */
  CHECK,
  /** Changes an array or an accumulator, or is not to be moved. */
  EFFECT,
  /** What the code in it costs. */
  CODE;

  /** That of an expression, without what is in its bodies. */
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
